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
  /** First 8 bytes of the newest facts' ids, hex: a fact that a late hook repeats is told by them. */
  recent: string[];
}

/** First 8 bytes of an id, hex. */
export const shortId = (id: string): string => id.slice(0, 16);

/** Of a state that has everything up to a seq, whatever turns up later. */
export const wholeFrontier = (seq: number, place: Place | null): Frontier => ({
  seq,
  folded: [],
  last: seq,
  place,
  reached: [],
  recent: [],
});
