import { describe, expect, it } from 'vitest';
import { IdTable } from '../../src/journal/id-table.ts';

/** An id whose half that chance makes is this number. */
const idOf = (n: number): Buffer => {
  const id = Buffer.alloc(16, n & 0xff);
  id.writeBigUInt64BE(BigInt(n), 8);
  return id;
};

describe('a table of ids', () => {
  it('says how often each was added, in however many parts', () => {
    const table = new IdTable();
    for (let part = 0; part < 40; part += 1) {
      table.add([idOf(part), idOf(7), idOf(1000 - part)]);
      expect(table.count(idOf(7))).toBe(part + 1 + (part >= 7 ? 1 : 0));
      expect(table.count(idOf(part + 1))).toBe(part + 1 === 7 ? part + 1 : 0);
    }
    for (const n of [0, 39, 961, 1000]) expect(table.count(idOf(n))).toBe(1);
    expect(table.count(idOf(500))).toBe(0);
  });

  it('is the same after none were added', () => {
    const table = new IdTable();
    table.add([]);
    expect(table.count(idOf(1))).toBe(0);
    table.add([idOf(1)]);
    for (let n = 0; n < 20; n += 1) table.add([]);
    expect(table.count(idOf(1))).toBe(1);
  });
});
