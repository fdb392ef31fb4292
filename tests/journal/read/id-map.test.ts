import { describe, expect, it } from 'vitest';
import { IdMap, IdSet } from '../../../src/journal/read/id-map.ts';
import { seeded } from '../../seeded.ts';

/** An id as chance makes it. */
function ids(count: number, seed = 1): Buffer[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () =>
    Buffer.from(Array.from({ length: 16 }, () => Math.floor(random() * 256))),
  );
}

describe('a map of ids', () => {
  it('gives each its newest number, however many there are, and none to others', () => {
    const map = new IdMap();
    const all = ids(20_000);
    for (const [n, id] of all.entries()) expect(map.set(id, n)).toBe(true);
    expect(map.size).toBe(20_000);
    expect(map.set(all[7]!, 2 ** 53 - 1)).toBe(false);
    expect(map.size).toBe(20_000);
    expect(all.every((id, n) => map.get(id) === (n === 7 ? 2 ** 53 - 1 : n))).toBe(true);
    expect(ids(20_000, 2).some((id) => map.get(id) !== undefined)).toBe(false);
  });

  it('knows an id of zeros, and of two equal halves, when it was told of them', () => {
    for (const id of [Buffer.alloc(16), Buffer.alloc(16, 0xab)]) {
      const map = new IdMap();
      expect(map.get(id)).toBeUndefined();
      map.set(id, 5);
      expect(map.get(id)).toBe(5);
      for (const other of ids(2000)) map.set(other, 1);
      expect(map.get(id)).toBe(5);
    }
  });

  it('tells ids apart that differ in one half alone', () => {
    const [first, second] = ids(2) as [Buffer, Buffer];
    const mixed = Buffer.concat([first.subarray(0, 8), second.subarray(8)]);
    const map = new IdMap();
    map.set(first, 1);
    expect(map.get(mixed)).toBeUndefined();
    map.set(mixed, 2);
    expect([map.get(first), map.get(mixed), map.get(second)]).toEqual([1, 2, undefined]);
  });
});

describe('a set of ids', () => {
  it('says which were added, and whether one is new', () => {
    const set = new IdSet();
    const all = ids(5000);
    expect(all.every((id) => !set.has(id) && set.add(id))).toBe(true);
    expect(all.every((id) => set.has(id) && !set.add(id))).toBe(true);
    expect(set.size).toBe(5000);
  });
});
