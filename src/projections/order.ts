import type { Fact } from './contract.ts';

/**
 * A place in history. Facts that the transcript has stand where it has them; their time is the latest time up to
 * there, because the client writes some records late. Facts that no transcript carries stand by their own time.
 */
export interface Place {
  /** Milliseconds since the epoch. */
  time: number;
  /** 0 for a place in a transcript, 1 for one by time alone. */
  rank: 0 | 1;
  /** The thread: a sub-agent's id, or '' for the main one. */
  thread: string;
  /** Byte offset in the thread's transcript, or the seq where there is none. */
  position: number;
}

export const BEGINNING: Place = {
  time: Number.NEGATIVE_INFINITY,
  rank: 0,
  thread: '',
  position: -1,
};
export const END: Place = { time: Number.POSITIVE_INFINITY, rank: 1, thread: '', position: 0 };

export function comparePlaces(a: Place, b: Place): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.thread !== b.thread) return a.thread < b.thread ? -1 : 1;
  return a.position - b.position;
}

export interface Placed {
  fact: Fact;
  place: Place;
}

/** The place of a fact, which depends on nothing but the fact: it is the same whatever else is looked at. */
export function placeOf({ trace, at, agent, seq }: Fact): Place {
  const thread = agent ?? '';
  if (trace === undefined) return { time: at, rank: 1, thread, position: seq };
  return { time: trace.time ?? at, rank: 0, thread, position: trace.pos };
}

/** Puts facts into history order. */
export function inOrder(facts: Iterable<Fact>): Placed[] {
  const placed = Array.from(facts, (fact) => ({ fact, place: placeOf(fact) }));
  return placed.sort((a, b) => comparePlaces(a.place, b.place) || a.fact.seq - b.fact.seq);
}
