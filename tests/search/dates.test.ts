import { expect, it } from 'vitest';
import { timeNamedIn } from '../../src/search/dates.ts';

const at = (text: string): number => new Date(text).getTime();

it.each([
  ['what broke on March 12, 2026?', '2026-03-12T09:00', '2026-03-15T09:00'],
  ['what broke on 12 March 2026', '2026-03-13T23:00', '2026-03-11T23:59'],
  ['March 12 deploy', '2026-03-12T09:00', '2026-02-12T09:00'],
  ['the 3rd of May', '2025-05-03T12:00', '2025-04-03T12:00'],
  ['which tests failed in August?', '2024-08-31T12:00', '2024-09-01T12:00'],
  ['which tests failed in August 2023?', '2023-08-01T12:00', '2024-08-01T12:00'],
  ['2026-11-21 deploy', '2026-11-21T00:00', '2026-11-19T23:59'],
])('%s', (query, inside, outside) => {
  expect(timeNamedIn(query)?.(at(inside))).toBe(true);
  expect(timeNamedIn(query)?.(at(outside))).toBe(false);
});

it.each(['May I delete it', 'march through the list', 'postgres 12', 'version 2026-1'])(
  '%s names no time',
  (query) => {
    expect(timeNamedIn(query)).toBe(undefined);
  },
);
