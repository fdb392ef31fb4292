import { describe, expect, it } from 'vitest';
import { SEGMENT } from '../../../src/journal/format/format.ts';
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  readSegmentHeader,
} from '../../../src/journal/format/segment.ts';
import { Ben10Error } from '../../../src/platform/errors.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { flipBit, segmentOf } from '../support.ts';

const { header } = segmentOf([], {
  flags: 1,
  firstSeq: 77,
  prevChain: Buffer.alloc(32, 3),
  baseHlc: { ms: 5, count: 6 },
});
const bytes = encodeSegmentHeader(header, xxh64);

/** Changes a header and makes its checksum fit again: what a later version, or a hostile writer, would write. */
function resummed(change: (bytes: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  copy.writeBigUInt64LE(xxh64(copy.subarray(0, SEGMENT.checksum), 0n), SEGMENT.checksum);
  return copy;
}

const read = (from: Buffer) => readSegmentHeader(from, 'the file', xxh64);

describe('a segment header', () => {
  it('has every field where the format says', () => {
    expect(bytes).toHaveLength(128);
    expect(bytes.subarray(0, 8)).toEqual(Buffer.from('BEN10J\0\x01', 'latin1'));
    expect([bytes.readUInt16LE(8), bytes.readUInt16LE(10), bytes.readUInt32LE(12)]).toEqual([
      128, 0, 1,
    ]);
    expect(bytes.subarray(16, 32)).toEqual(header.journalId);
    expect(bytes.subarray(32, 48)).toEqual(header.originId);
    expect(bytes.readBigUInt64LE(48)).toBe(77n);
    expect(bytes.readBigUInt64LE(56)).toBe(5n * 65536n + 6n);
    expect(bytes.subarray(64, 96)).toEqual(header.prevChain);
    expect(bytes.readBigUInt64LE(96)).toBe(header.salt);
    expect(bytes.subarray(104, 120)).toEqual(Buffer.alloc(16));
    expect(bytes.readBigUInt64LE(120)).toBe(xxh64(bytes.subarray(0, 120), 0n));
  });

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

describe('a segment header of a later version', () => {
  it.each<[string, Buffer]>([
    ['a higher number in its magic', resummed((b) => b.writeUInt8(2, 7))],
    ['an unknown flag', resummed((b) => b.writeUInt32LE(0x100, SEGMENT.flags))],
    [
      'the flag that is reserved for preallocated files',
      resummed((b) => b.writeUInt32LE(4, SEGMENT.flags)),
    ],
    ['another length', resummed((b) => b.writeUInt16LE(160, SEGMENT.headerBytes))],
    ['a meaning for reserved bytes', resummed((b) => b.writeUInt8(1, SEGMENT.reserved))],
  ])('is refused as such, not taken for damage: %s', (_, later) => {
    expect(() => read(later)).toThrow(Ben10Error);
    expect(() => read(later)).toThrow(
      expect.objectContaining({ code: 'JOURNAL_FOREIGN', place: { file: 'the file' } }),
    );
  });

  it('is read when only its minor version is higher', () => {
    expect(read(resummed((b) => b.writeUInt16LE(9, SEGMENT.formatMinor)))).toEqual({
      header,
      mended: false,
    });
  });

  it('is not seen where a byte of the magic rotted: the checksum does not fit', () => {
    const rotted = Buffer.from(bytes);
    rotted.writeUInt8(0xfe, 7);
    expect(read(rotted)).toBeUndefined();
  });

  it('is not seen in a lower number, nor in another magic', () => {
    expect(read(resummed((b) => b.writeUInt8(0, 7)))?.mended ?? 'lost').toBe('lost');
    expect(read(resummed((b) => b.write('BEN10X', 0, 'latin1')))).toBeUndefined();
  });
});
