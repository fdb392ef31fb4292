import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';

const hex = (bytes: Uint8Array, seed: bigint) => xxh64(bytes, seed).toString(16).padStart(16, '0');

describe('XXH64 in plain JavaScript', () => {
  it.each([
    ['', 0n, 'ef46db3751d8e999'],
    ['a', 0n, 'd24ec4f1a98c6e5b'],
    ['abc', 0n, '44bc2cf5ad770999'],
    ['message digest', 0n, '066ed728fceeb3be'],
    ['abcdefghijklmnopqrstuvwxyz', 0n, 'cfe1f278fa89835c'],
    ['1234567890'.repeat(8), 0n, 'e04a477f19ee145d'],
  ])('gives the published value of %j', (text, seed, expected) => {
    expect(hex(Buffer.from(text), seed)).toBe(expected);
  });

  it('agrees with the WebAssembly one at every length up to 300', async () => {
    const wasm = await loadXxh64();
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 167 + 13) & 0xff));
    for (let length = 0; length <= 300; length += 1) {
      const part = bytes.subarray(0, length);
      expect(xxh64(part, 0n), `${length} bytes`).toBe(wasm(part, 0n));
    }
  });

  it('agrees with the WebAssembly one on any bytes, seed and position in memory', async () => {
    const wasm = await loadXxh64();
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.nat(8),
        (bytes, seed, shift) => {
          const moved = new Uint8Array(bytes.length + shift);
          moved.set(bytes, shift);
          expect(xxh64(moved.subarray(shift), seed)).toBe(wasm(bytes, seed));
        },
      ),
      { numRuns: 500 },
    );
  });
});
