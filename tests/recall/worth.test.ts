import { expect, it } from 'vitest';
import { withWorth } from '../../src/recall/worth.ts';

it('what happened last is worth most, also when the journal came to know of it first', () => {
  const error = (at: number, seq: number) => ({
    kind: 'error' as const,
    text: `${at}`,
    seq,
    at,
    key: `${at}`,
  });
  const items = withWorth([error(10, 7), error(30, 2), error(20, 5)]);
  expect(items.map(({ at }) => at)).toEqual([30, 20, 10]);
  const worths = items.map(({ worth }) => worth);
  expect(worths).toEqual([...worths].sort((a, b) => b - a));
  expect(new Set(worths).size).toBe(3);
});
