import { describe, expect, it } from 'vitest';
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  readSegmentHeader,
} from '../../../src/journal/format/segment.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { flipBit, segmentOf } from '../support.ts';

const { header } = segmentOf([], {
  flags: 1,
  firstSeq: 77,
  prevChain: Buffer.alloc(32, 3),
  baseHlc: { ms: 5, count: 6 },
});
const bytes = encodeSegmentHeader(header, xxh64);

const read = (from: Buffer) => readSegmentHeader(from, 'the file', xxh64);

describe('a segment header', () => {
  it('comes back as it was put in, also with the segment behind it', () => {
    expect(decodeSegmentHeader(bytes, xxh64)).toEqual(header);
    expect(read(Buffer.concat([bytes, Buffer.alloc(50)]))).toEqual({ header, mended: false });
  });

  it('is put right when any single bit of it has flipped', () => {
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      flipBit(damaged, bit);
      expect(decodeSegmentHeader(damaged, xxh64), `bit ${bit}`).toBeUndefined();
      expect(read(damaged), `bit ${bit}`).toEqual({ header, mended: true });
    }
  });

  it('is lost when two bits have flipped, or when it is short', () => {
    for (const other of [0, 200, 500, 950, 1023]) {
      const damaged = Buffer.from(bytes);
      flipBit(damaged, 300);
      flipBit(damaged, other);
      expect(read(damaged), `bits 300 and ${other}`).toBeUndefined();
    }
    for (const length of [0, 1, 127]) expect(read(bytes.subarray(0, length))).toBeUndefined();
    expect(decodeSegmentHeader(bytes.subarray(0, 127), xxh64)).toBeUndefined();
    expect(read(Buffer.alloc(128))).toBeUndefined();
  });
});
