import type { Chance } from '../damage/chance.ts';

/** Something that is handed bytes or values from outside. */
export interface Target {
  name: string;
  /** Of so many inputs that the others get, it gets one: it takes as much longer. */
  share: number;
  /** What an input of 64 KiB, or a smaller one, may take, milliseconds; `MS_PER_64_KIB` where it is not given: reading is quick. */
  msMax?: number;
  /** One input and what became of it: the input's size, and something to compare a second run with. */
  run: (chance: Chance) => { bytes: number; outcome: () => unknown };
}
