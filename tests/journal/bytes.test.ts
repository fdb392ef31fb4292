import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignUp, asBuffer, isZero, readU64, writeU64 } from '../../src/journal/bytes.ts';

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
});
