import { describe, expect, it } from 'vitest';
import { randomHex, systemRandom } from '../../src/platform/random.ts';

describe('random bytes', () => {
  it('never come twice, also beyond what is taken from the kernel at once', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 2000; i += 1) seen.add(randomHex(systemRandom, 16));
    expect(seen.size).toBe(2000);
  });

  it('fill all of what they are to fill, of any length', () => {
    for (const length of [0, 1, 16, 511, 512, 513, 100_000]) {
      const bytes = new Uint8Array(length + 2);
      systemRandom.fill(bytes.subarray(1, length + 1));
      expect([bytes[0], bytes.at(-1)]).toEqual([0, 0]);
      if (length < 100) continue;
      const values = new Set(bytes.subarray(1, length + 1));
      expect(values.size).toBeGreaterThan(100);
      expect(bytes.subarray(length - 32, length + 1).some((byte) => byte !== 0)).toBe(true);
    }
  });

  it('have every value about as often', () => {
    const counts = new Array<number>(256).fill(0);
    const bytes = new Uint8Array(256);
    for (let i = 0; i < 400; i += 1) {
      systemRandom.fill(bytes);
      for (const byte of bytes) counts[byte]! += 1;
    }
    // 400 each are expected; eight standard deviations.
    expect(Math.min(...counts)).toBeGreaterThan(240);
    expect(Math.max(...counts)).toBeLessThan(560);
  });
});
