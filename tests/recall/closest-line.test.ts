import { expect, it } from 'vitest';
import { closestLine } from '../../src/recall/closest-line.ts';

const SUMMARY = `The user asked for due dates.
2. **Tests passed**: 43 tests, 0 failures. Full suite: 65 tests + 14 doctests.

- Dates are kept as ISO strings, never as objects
- The server listens on port 3000`;

it.each([
  ['`mix test` → exit 0: 14 doctests, 73 tests, 0 failures', '2. **Tests passed**'],
  ['due dates are kept as ISO strings', '- Dates are kept'],
])('finds the line that says something else, or more, about the same: %s', (text, start) => {
  expect(closestLine(SUMMARY)(text)).toMatch(new RegExp(`^${start.replace(/[*]/g, '\\$&')}`));
});

it.each([
  '`git push` → exit 128: no upstream branch',
  'all five pages render on the phone',
  '',
  '14',
])('finds none where only a few words of a line are shared: "%s"', (text) => {
  expect(closestLine(SUMMARY)(text)).toBeUndefined();
  expect(closestLine('')(text)).toBeUndefined();
});
