import type { Fact } from './contract.ts';

/** A place in history: by the transcript where it has the fact, with the latest time up to there (some records are late), else by time. */
export interface Place {
  time: number;
  /** 0 from a transcript, 1 by time alone. */
  rank: 0 | 1;
  /** A sub-agent's id, or '' for the main thread. */
  thread: string;
  /** Byte offset in the transcript, else the seq. */
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

/** Depends on the fact alone, so it never changes with what else is read. */
export function placeOf({ trace, at, agent, seq }: Fact): Place {
  const thread = agent ?? '';
  if (trace === undefined) return { time: at, rank: 1, thread, position: seq };
  return { time: trace.time ?? at, rank: 0, thread, position: trace.pos };
}

export function inOrder(facts: Iterable<Fact>): Placed[] {
  const placed = Array.from(facts, (fact) => ({ fact, place: placeOf(fact) }));
  return placed.sort((a, b) => comparePlaces(a.place, b.place) || a.fact.seq - b.fact.seq);
}
