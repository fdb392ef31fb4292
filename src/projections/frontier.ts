import type { Place } from './order.ts';

/** A stored state's own account of what it holds. */
export interface Frontier {
  /** Every event up to here is in the state. */
  seq: number;
  /** Later facts that are in it too. */
  folded: number[];
  /** The newest event that was known when it was made: nothing in the state is younger. */
  last: number;
  /** The last place that is in it; nothing may come in before. */
  place: Place | null;
  /** By thread, how far its transcript is in it, bytes. */
  reached: [string, number][];
  /** The newest facts' ids, `shortId` of each: a fact that a late hook repeats is told by them. */
  recent: string[];
}

/** The second half of an id, hex: the first one of two that were made in one millisecond is too often the same. */
export const shortId = (id: string): string => id.slice(16);

/** Of a state that has everything up to a seq, whatever turns up later. */
export const wholeFrontier = (seq: number, place: Place | null): Frontier => ({
  seq,
  folded: [],
  last: seq,
  place,
  reached: [],
  recent: [],
});
