import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summedRoom } from '../../src/platform/summed-room.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe('bytes that are summed where they stand', () => {
  it('are not there where WebAssembly is switched off', () => {
    const world = globalThis as { WebAssembly?: unknown };
    const { WebAssembly } = world;
    const known = summedRoom(xxh64);
    try {
      world.WebAssembly = undefined;
      expect(known).toBeDefined();
      expect(summedRoom(xxh64)).toBeUndefined();
    } finally {
      world.WebAssembly = WebAssembly;
    }
  });

  it('hold exactly the sums that XXH64 gives, of any stretch, with any salt and place', () => {
    const { room, xxh64: summed } = summedRoom(xxh64)!;
    const places = fc.nat(Number.MAX_SAFE_INTEGER);
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(), fc.nat(), u64, places, fc.nat(63), (...given) => {
        const [bytes, a, b, salt, place, bit] = given;
        const [from, to] = [a % (bytes.length + 1), b % (bytes.length + 1)].sort((x, y) => x - y);
        const held = room(bytes.length + 8);
        held.set(bytes);
        const stretch = bytes.subarray(from, to);
        held.writeBigUInt64LE(xxh64(stretch, salt ^ BigInt(place)), bytes.length);
        const holds = () => summed.holds!(held, from!, to!, salt, place, bytes.length);
        expect(holds()).toBe(true);
        held[bytes.length + (bit >> 3)]! ^= 1 << (bit & 7);
        expect(holds()).toBe(false);
        expect(summed(stretch, salt)).toBe(xxh64(stretch, salt));
      }),
    );
  });

  it('are the same memory each time, which grows', () => {
    const { room, xxh64: summed } = summedRoom(xxh64)!;
    room(8).fill(7);
    expect(room(8)).toEqual(Buffer.alloc(8, 7));
    const large = room(9 * 1024 * 1024);
    large.writeBigUInt64LE(xxh64(large.subarray(0, -8), 5n), large.length - 8);
    const end = large.length - 8;
    expect(summed.holds!(large, 0, end, 5n, 0, end)).toBe(true);
  });

  it('are not taken for others, nor for what was read before', () => {
    const { room, xxh64: summed } = summedRoom(xxh64)!;
    const before = room(16);
    room(16);
    for (const bytes of [before, Buffer.alloc(16)])
      expect(summed.holds!(bytes, 0, 8, 0n, 0, 8)).toBeUndefined();
  });

  it('are the memory of the reading before: to make one takes as long as to verify a small journal', () => {
    summedRoom(xxh64)!.room(8).fill(9);
    expect(summedRoom(xxh64)!.room(8)).toEqual(Buffer.alloc(8, 9));
  });
});
