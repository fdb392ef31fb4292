import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainXxh64 } from '../../src/platform/hashes/plain-xxh64.ts';
import { WasmHashes } from '../../src/platform/hashes/wasm.ts';
import { type Hash64, xxh64 } from '../../src/platform/xxh64.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';

const own = new WasmHashes();
const kinds: [string, Hash64][] = [
  ['in plain JavaScript', plainXxh64],
  ['in our WebAssembly', (bytes, seed) => own.xxh64(bytes, seed)],
  ['as it is used', xxh64],
];
const peer = await loadXxh64();

describe.each(kinds)('XXH64 %s', (_, hash) => {
  it.each([
    ['', 'ef46db3751d8e999'],
    ['a', 'd24ec4f1a98c6e5b'],
    ['abc', '44bc2cf5ad770999'],
    ['message digest', '066ed728fceeb3be'],
    ['abcdefghijklmnopqrstuvwxyz', 'cfe1f278fa89835c'],
    ['1234567890'.repeat(8), 'e04a477f19ee145d'],
  ])('gives the published value of %j', (text, expected) => {
    expect(hash(Buffer.from(text), 0n).toString(16).padStart(16, '0')).toBe(expected);
  });

  it('agrees with xxhash-wasm at every length up to 300', () => {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 167 + 13) & 0xff));
    for (let length = 0; length <= 300; length += 1) {
      const part = bytes.subarray(0, length);
      expect(hash(part, 0n), `${length} bytes`).toBe(peer(part, 0n));
    }
  });

  it('agrees with xxhash-wasm on any bytes, seed and position in memory', () => {
    const seeds = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), seeds, fc.nat(8), (bytes, seed, shift) => {
        const moved = new Uint8Array(bytes.length + shift);
        moved.set(bytes, shift);
        expect(hash(moved.subarray(shift), seed)).toBe(peer(bytes, seed));
      }),
      { numRuns: 300 },
    );
  });

  it('agrees with xxhash-wasm on three mebibytes', () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024 + 5, 'some words, and not a multiple of eight');
    expect(hash(bytes, 99n)).toBe(peer(bytes, 99n));
  });
});
