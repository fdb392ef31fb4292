import type { Random } from '../../src/platform/random.ts';

/** Mulberry32: numbers from 0 up to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 up to `below`. */
export const pick = (chance: () => number, below: number): number => Math.floor(chance() * below);

/** The random bytes of one simulated process. */
export function randomOf(seed: number): Random {
  const chance = seeded(seed);
  return {
    fill(bytes) {
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = pick(chance, 256);
    },
  };
}
