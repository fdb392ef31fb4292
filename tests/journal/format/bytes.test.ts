import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alignUp,
  asBuffer,
  copyOf,
  isZero,
  joined,
  readBigU64,
  readU8,
  readU16,
  readU32,
  readU48,
  readU64,
  writeBigU64,
  writeU8,
  writeU16,
  writeU32,
  writeU48,
  writeU64,
} from '../../../src/journal/format/bytes.ts';

const FIELDS = [
  { bytes: 1, read: readU8, write: writeU8 },
  { bytes: 2, read: readU16, write: writeU16 },
  { bytes: 4, read: readU32, write: writeU32 },
  { bytes: 6, read: readU48, write: writeU48 },
];

describe.each(FIELDS)('a field of $bytes bytes', ({ bytes: width, read, write }) => {
  const values = fc.maxSafeNat().map((value) => value % 2 ** (8 * width));

  it('is what Node writes and reads there', () => {
    fc.assert(
      fc.property(values, (value) => {
        const bytes = Buffer.alloc(width + 2, 0xff);
        write(bytes, value, 1);
        const expected = Buffer.alloc(width + 2, 0xff);
        expected.writeUIntLE(value, 1, width);
        expect(bytes).toEqual(expected);
        expect(read(bytes, 1)).toBe(value);
      }),
    );
  });

  it.each([-1, 1, 100])('is not read or written from %i on where it does not fit', (at) => {
    const bytes = Buffer.alloc(width);
    expect(() => read(bytes, at)).toThrow(RangeError);
    expect(() => write(bytes, 0, at)).toThrow(RangeError);
  });

  it.each([-1, 2 ** (8 * width), Number.NaN])('does not take %d', (value) => {
    expect(() => write(Buffer.alloc(width), value, 0)).toThrow(RangeError);
  });
});

it('checksums are little-endian, all 64 bits of them', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
      const bytes = Buffer.alloc(8);
      writeBigU64(bytes, value, 0);
      expect(bytes.readBigUInt64LE(0)).toBe(value);
      expect(readBigU64(bytes, 0)).toBe(value);
    }),
  );
  expect(() => writeBigU64(Buffer.alloc(8), 2n ** 64n, 0)).toThrow(RangeError);
});

describe('64-bit numbers', () => {
  it('are little-endian and hold every safe integer', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const bytes = Buffer.alloc(10, 0xff);
        writeU64(bytes, value, 1);
        expect(bytes.readBigUInt64LE(1)).toBe(BigInt(value));
        expect(readU64(bytes, 1)).toBe(value);
        expect([bytes[0], bytes[9]]).toEqual([0xff, 0xff]);
      }),
    );
  });
});

describe('bytes', () => {
  it('are aligned upwards', () => {
    expect([0, 1, 7, 8, 9].map((value) => alignUp(value, 8))).toEqual([0, 8, 8, 8, 16]);
  });

  it('are zero only if all of them are', () => {
    expect(isZero(Buffer.alloc(5))).toBe(true);
    expect(isZero(Buffer.alloc(0))).toBe(true);
    expect(isZero(Buffer.from([0, 0, 1]))).toBe(false);
  });

  it('are seen through a Buffer without a copy', () => {
    const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
    const buffer = asBuffer(bytes);
    buffer[0] = 9;
    expect([...bytes]).toEqual([9, 3]);
    expect(buffer).toHaveLength(2);
  });

  it('are copied out of what is larger, and one after the other', () => {
    const source = Buffer.from([1, 2, 3]);
    const copy = copyOf(source.subarray(1));
    source[1] = 9;
    expect([...copy]).toEqual([2, 3]);
    expect([...joined([copy, source])]).toEqual([2, 3, 1, 9, 3]);
    expect(joined([copy])).toBe(copy);
    expect(joined([])).toHaveLength(0);
  });
});
