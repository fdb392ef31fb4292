import type { Chance } from '../damage/chance.ts';

/** Something that is handed bytes or values from outside. */
export interface Target {
  name: string;
  /** Of so many inputs that the others get, it gets one: it takes as much longer. */
  share: number;
  /** One input and what became of it: the input's size, and something to compare a second run with. */
  run: (chance: Chance) => { bytes: number; outcome: () => unknown };
}
