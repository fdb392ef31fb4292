import type { Random } from '../../src/platform/random.ts';
import { seeded } from '../seeded.ts';

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
