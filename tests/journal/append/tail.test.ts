import { openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTail, WINDOW_BYTES } from '../../../src/journal/append/tail.ts';
import { realPorts, scratch } from '../../support.ts';
import { edit, flipBit, segmentOf } from '../support.ts';

/** A segment in a file, opened. */
function fileOf(bytes: Buffer) {
  const file = path.join(scratch(), 'segment.b10');
  writeFileSync(file, bytes);
  return { file, fd: openSync(file, 'r+') };
}

const tailOf = (bytes: Buffer) => {
  const { file, fd } = fileOf(bytes);
  return readTail(realPorts, fd, file);
};

const idOf = (seq: number) => Buffer.alloc(16, seq);
const small = (count: number) => Array.from({ length: count }, (_, i) => Buffer.from(`event ${i}`));

describe('the end of a segment, found from its last bytes', () => {
  it('is the last event', () => {
    const { bytes, chain, header } = segmentOf(small(5));
    expect(tailOf(bytes)).toMatchObject({
      seq: 5,
      size: bytes.length,
      chain,
      header,
      syncedUpto: 0,
      hlc: { count: 5 },
    });
  });

  it('of an empty segment is what its header says', () => {
    const { bytes, header } = segmentOf([], { firstSeq: 9, prevChain: Buffer.alloc(32, 4) });
    expect(tailOf(bytes)).toMatchObject({
      seq: 8,
      size: 128,
      chain: header.prevChain,
      hlc: header.baseHlc,
    });
    expect(tailOf(bytes)!.recent.find(Buffer.alloc(16, 8))).toBeUndefined();
  });

  it.each([1, 100, WINDOW_BYTES - 400, WINDOW_BYTES, WINDOW_BYTES + 1, 1_048_560])(
    'is found behind a payload of %i bytes',
    (length) => {
      const { bytes } = segmentOf([...small(3), Buffer.alloc(length, 7)]);
      expect(tailOf(bytes)).toMatchObject({ seq: 4 });
      expect([0, 1, 2, 3, 4].map((seq) => tailOf(bytes)!.recent.find(idOf(seq)))).toEqual([
        undefined,
        1,
        2,
        3,
        4,
      ]);
    },
  );

  it('is not believed when the last frame has any flipped bit', () => {
    const { bytes, offsets } = segmentOf(small(2));
    const { file, fd } = fileOf(bytes);
    for (let bit = offsets[1]! * 8; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      flipBit(damaged, bit);
      writeFileSync(file, damaged);
      expect(readTail(realPorts, fd, file), `bit ${bit}`).toBeUndefined();
    }
    expect(readFileSync(file).length).toBe(bytes.length);
  });

  it('is not believed at any truncation but between frames', () => {
    const { bytes, offsets } = segmentOf(small(3));
    const { file, fd } = fileOf(bytes);
    const seqs = new Map<number, number>();
    for (let length = bytes.length; length >= 0; length -= 1) {
      edit(file, (all) => all.subarray(0, length));
      const tail = readTail(realPorts, fd, file);
      if (tail !== undefined) seqs.set(length, tail.seq);
    }
    expect(seqs).toEqual(
      new Map([
        [bytes.length, 3],
        [offsets[2], 2],
        [offsets[1], 1],
        [128, 0],
      ]),
    );
  });

  it.each([0, 8, 136, 0xfffffff8, 1_200_000])(
    'is not believed when the trailer says %i bytes',
    (length) => {
      const { bytes } = segmentOf([
        Buffer.alloc(1_048_560, 1),
        ...small(2),
        Buffer.alloc(1_048_560, 1),
      ]);
      bytes.writeUInt32LE(length, bytes.length - 8);
      expect(tailOf(bytes)).toBeUndefined();
    },
  );

  it('never claims that an event was on disk before it was written', () => {
    const { bytes } = segmentOf(small(2));
    expect(tailOf(bytes)!.syncedUpto).toBe(0);
  });
});

describe('ids near the end', () => {
  it('are those of the last 64 KiB', () => {
    const { bytes, offsets } = segmentOf(
      Array.from({ length: 200 }, (_, i) => Buffer.alloc(1000, i)),
    );
    const inside = offsets.findIndex((offset) => offset >= bytes.length - WINDOW_BYTES) + 1;
    expect(inside).toBeGreaterThan(100);
    const { recent } = tailOf(bytes)!;
    for (let seq = 1; seq <= 200; seq += 1)
      expect(recent.find(idOf(seq)), `seq ${seq}`).toBe(seq < inside ? undefined : seq);
  });
});
