import { expect, test } from 'vitest';
import { SessionTable } from '../../src/projections/session-table.ts';
import { seeded } from '../seeded.ts';

/** Few marks that differ in few bytes, so that one lies across two others. */
const MARKS = [0n, 1n, 0x0100_0000_0000_0000n, 0x0101_0101_0101_0101n, 0xffff_ffff_ffff_ffffn];

test('a table of sessions says what a map says, stored at any time, whatever is dropped of it', {
  tags: 'long',
}, () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = seeded(seed);
    let table = new SessionTable();
    const known = new Map<bigint, { first: number; last: number }>();
    for (let seq = 1; seq <= 60; seq += 1) {
      const mark = random() < 0.5 ? MARKS[Math.floor(random() * MARKS.length)]! : BigInt(seq);
      known.set(mark, { first: known.get(mark)?.first ?? seq, last: seq });
      table.saw(mark, seq);
      if (random() < 0.1) {
        known.delete(known.keys().next().value!);
        table.dropFirst();
      }
      if (random() < 0.2) table = new SessionTable(structuredClone(table.stored()));
      expect(table.size).toBe(known.size);
      for (const one of [...MARKS, BigInt(seq), BigInt(seq + 7)])
        expect(table.find(one), `seed ${seed}, seq ${seq}`).toEqual(known.get(one));
    }
  }
});

test('bytes that are none of a table are refused', () => {
  const marks = new Uint8Array(8);
  expect(() => new SessionTable({ marks, seqs: new Uint8Array(13) })).toThrow(TypeError);
  expect(() => new SessionTable({ marks: new Uint8Array(9), seqs: new Uint8Array(12) })).toThrow(
    TypeError,
  );
});
