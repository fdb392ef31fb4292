import { describe, expect, it } from 'vitest';
import { IdTable, keyOf, sumOf } from '../../../src/journal/read/id-table.ts';
import { seeded } from '../../seeded.ts';

/** An id whose half that chance makes is this number. */
const idOf = (n: number): Buffer => {
  const id = Buffer.alloc(16, n & 0xff);
  id.writeBigUInt64BE(BigInt(n), 8);
  return id;
};

const keysOf = (...ids: number[]) => ids.map((n) => keyOf(idOf(n)));
const timesIn = (table: IdTable, n: number) => table.count(keyOf(idOf(n)));

describe('a table of ids', () => {
  it('says how often each was added, in however many parts', () => {
    const table = new IdTable();
    for (let part = 0; part < 40; part += 1) {
      table.add(keysOf(part, 7, 1000 - part));
      expect(timesIn(table, 7)).toBe(part + 1 + (part >= 7 ? 1 : 0));
      expect(timesIn(table, part + 1)).toBe(part + 1 === 7 ? part + 1 : 0);
    }
    for (const n of [0, 39, 961, 1000]) expect(timesIn(table, n)).toBe(1);
    expect(timesIn(table, 500)).toBe(0);
  });

  it('finds each of many, whatever bits they differ in, once they are sorted and when more have come', () => {
    const table = new IdTable();
    const random = seeded(3);
    const ids = Array.from({ length: 40_000 }, () => {
      const id = Buffer.alloc(16);
      for (let at = 8; at < 16; at += 1) id[at] = Math.floor(random() * 256);
      return id;
    });
    const keys = ids.map(keyOf);
    table.add(keys.slice(0, 30_000));
    expect(table.count(keys[0]!)).toBe(1);
    expect(table.count(keys[39_999]!)).toBe(0);
    table.add(keys.slice(30_000));
    for (const key of keys) expect(table.count(key)).toBe(1);
  });

  it('takes all of another one, whether it has any of its own or not', () => {
    const table = new IdTable();
    for (let round = 1; round < 3; round += 1) {
      const other = new IdTable();
      other.add(keysOf(1, 2, round));
      table.take(other);
      expect(timesIn(table, 1)).toBe(round === 1 ? 2 : 3);
      expect(timesIn(table, 2)).toBe(round === 1 ? 1 : 3);
    }
  });

  it('is the same after none were added', () => {
    const table = new IdTable();
    table.add([]);
    expect(timesIn(table, 1)).toBe(0);
    table.add(keysOf(1));
    for (let n = 0; n < 20; n += 1) table.add([]);
    expect(timesIn(table, 1)).toBe(1);
  });
});

describe('a sum of keys', () => {
  it('is the same in any order and in parts, another for other keys, and never loses a bit', () => {
    const keys = [2 ** 52 - 1, 1, 2 ** 52 - 5, 12_345];
    expect(sumOf(keys)).toBe(sumOf(keys.toReversed()));
    expect(sumOf(keys.slice(2), sumOf(keys.slice(0, 2)))).toBe(sumOf(keys));
    for (const index of keys.keys())
      expect(sumOf(keys.with(index, keys[index]! - 1))).not.toBe(sumOf(keys));
  });
});
