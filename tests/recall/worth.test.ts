import { expect, it } from 'vitest';
import type { Found } from '../../src/recall/item.ts';
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

/** What an item is worth beside others; all of one moment. */
const worthsOf = (...items: Partial<Found>[]): Map<string, number> => {
  const found = items.map((one, n) => {
    const item = { kind: 'finding' as const, text: `item ${n}`, seq: n + 1, at: 1, ...one };
    return { ...item, key: `${n}` };
  });
  return new Map(withWorth(found).map(({ text, worth }) => [text, worth]));
};

it('what the user said is worth more than what the agent said, and an open error more than a command that passed', () => {
  const worths = worthsOf(
    { kind: 'rule', text: 'rule' },
    { kind: 'decision', text: 'decision' },
    { kind: 'error', text: 'error' },
    { kind: 'command', text: 'command' },
  );
  expect(worths.get('rule')).toBeGreaterThan(worths.get('decision')!);
  expect(worths.get('error')).toBeGreaterThan(worths.get('command')!);
});

it('what stands out, and what later work came back to, is worth more than its like', () => {
  const worths = worthsOf(
    { text: 'strong', weight: 0.9 },
    { text: 'weak', weight: 0.3 },
    { text: 'weak but used', weight: 0.3, reuse: 4 },
  );
  expect(worths.get('strong')).toBeGreaterThan(worths.get('weak but used')!);
  expect(worths.get('weak but used')).toBeGreaterThan(worths.get('weak')!);
});

it('what is done again and again with other names is routine', () => {
  const routine = Array.from({ length: 20 }, (_, n) => ({
    kind: 'command' as const,
    text: `npm test -- part-${n} → exit 0`,
  }));
  const worths = worthsOf({ kind: 'command', text: 'make release → exit 0' }, ...routine);
  expect(worths.get('make release → exit 0')).toBeGreaterThan(
    2 * worths.get('npm test -- part-19 → exit 0')!,
  );
});

it('a rule of the first hour keeps its worth, a file that was left does not', () => {
  const many = (kind: 'rule' | 'file') =>
    Array.from({ length: 100 }, (_, n) => ({ kind, text: `${kind} ${n}`, at: n }));
  const worths = worthsOf(...many('rule'), ...many('file'));
  expect(worths.get('rule 0')! / worths.get('rule 99')!).toBeGreaterThan(0.8);
  expect(worths.get('file 0')! / worths.get('file 99')!).toBeLessThan(0.3);
});
