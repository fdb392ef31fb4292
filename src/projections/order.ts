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

/**
 * Puts facts into history order.
 * @param latest the latest time reached before them, by thread; brought up to date
 */
export function inOrder(facts: readonly Fact[], latest: Map<string, number>): Placed[] {
  const traced = facts.filter((fact) => fact.trace !== undefined);
  traced.sort((a, b) => a.trace!.pos - b.trace!.pos || a.seq - b.seq);
  const placed: Placed[] = [];
  for (const fact of traced) {
    const thread = fact.agent ?? '';
    const time = Math.max(latest.get(thread) ?? Number.NEGATIVE_INFINITY, fact.at);
    latest.set(thread, time);
    placed.push({ fact, place: { time, rank: 0, thread, position: fact.trace!.pos } });
  }
  for (const fact of facts) {
    if (fact.trace !== undefined) continue;
    const place: Place = { time: fact.at, rank: 1, thread: fact.agent ?? '', position: fact.seq };
    placed.push({ fact, place });
  }
  return placed.sort((a, b) => comparePlaces(a.place, b.place));
}
