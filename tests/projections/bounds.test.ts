import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dropOldest,
  estimateTokens,
  fieldOf,
  headOf,
  keepNewest,
  keepNewestWithin,
  keyOf,
} from '../../src/projections/bounds.ts';

describe('the head of a text', () => {
  test('is the text itself up to the limit, and marked beyond it', () => {
    expect(headOf('abc', 3)).toBe('abc');
    expect(headOf('abcd', 3)).toBe('abc…');
    expect(headOf('', 0)).toBe('');
  });

  test('never ends in half a character', () => {
    expect(headOf('ab😀', 3)).toBe('ab…');
    expect(headOf('ab😀c', 4)).toBe('ab😀…');
  });
});

describe('keeping the newest', () => {
  test('drops from the front, and says how many', () => {
    const list = [1, 2, 3, 4];
    expect([keepNewest(list, 3), list]).toEqual([1, [2, 3, 4]]);
    expect([keepNewest(list, 3), list]).toEqual([0, [2, 3, 4]]);
  });

  test('keeps within a number and a size, and the newest in any case', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string()),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(30),
        (given, max, chars) => {
          const list = [...given];
          keepNewestWithin(list, max, chars, (one) => one.length);
          const size = list.reduce((sum, one) => sum + one.length, 0);
          expect(list).toEqual(given.slice(given.length - list.length));
          expect(list.length).toBeLessThanOrEqual(max);
          expect(size <= chars || list.length === 1).toBe(true);
          expect(list.length > 0 || given.length === 0).toBe(true);
          // No more is dropped than has to be.
          const next = given.at(-list.length - 1);
          if (next !== undefined && list.length < max)
            expect(size + next.length).toBeGreaterThan(chars);
        },
      ),
    );
  });
});

describe('dropping the oldest fields', () => {
  test('leaves so many, and says how many went', () => {
    const record: Record<string, number> = { x: 1, y: 2, z: 3 };
    expect(dropOldest(record, 2)).toBe(1);
    expect(record).toEqual({ y: 2, z: 3 });
    expect(dropOldest(record, 2)).toBe(0);
  });

  test('counts the names, too, where they may be long', () => {
    const record: Record<string, number> = { aaaa: 1, bb: 2, cc: 3 };
    expect(dropOldest(record, 10, 5)).toBe(1);
    expect(record).toEqual({ bb: 2, cc: 3 });
  });
});

describe('names from outside as keys', () => {
  test('never reach what every object has', () => {
    const record: Record<string, number> = {};
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(fieldOf(record, name)).toBeUndefined();
      record[keyOf(name)] = 1;
      expect(fieldOf(record, name)).toBe(1);
    }
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    expect(Object.keys(record)).toHaveLength(4);
  });
});

test('tokens are estimated from bytes', () => {
  expect([estimateTokens(''), estimateTokens('abc'), estimateTokens('ä'.repeat(31))]).toEqual([
    0, 1, 20,
  ]);
  expect(estimateTokens(62)).toBe(20);
});
