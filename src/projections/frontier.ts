import type { Place } from './order.ts';

export interface Frontier {
  /** Every event up to here is in it. */
  seq: number;
  /** Later facts that are also in it. */
  folded: number[];
  /** The newest event known when it was made. */
  last: number;
  /** The last place in it; nothing may come before. */
  place: Place | null;
  /** By thread: bytes of its transcript that are in it. */
  reached: [string, number][];
  /** `shortId`s of the newest facts, to recognise one that a late hook repeats. */
  recent: string[];
}

/** The second half of an id, hex: the first half is often equal for ids made in the same millisecond. */
export const shortId = (id: string): string => id.slice(16);

/** For a state that covers everything up to a seq. */
export const wholeFrontier = (seq: number, place: Place | null): Frontier => ({
  seq,
  folded: [],
  last: seq,
  place,
  reached: [],
  recent: [],
});
