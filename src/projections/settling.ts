import type { JournalEvent, TranscriptRead } from '../events/types.ts';
import { type Frontier, shortId } from './frontier.ts';
import type { Placed } from './order.ts';

/** Facts that a transcript is going to carry, so that their place may still change until it was read. */
const TRACEABLE = new Set([
  'prompt.submitted',
  'tool.called',
  'tool.succeeded',
  'tool.failed',
  'compaction.finished',
]);
/** A fact that this many readings of its thread's transcript did not find is in none: a transcript lags by one. */
const READINGS_TO_SETTLE = 2;
/** Whatever its transcript and its time say, a fact settles when this many others came after it. */
const FACTS_TO_SETTLE = 2000;
/** Threads write side by side and late, by some 100 ms: for so long a fact may still get another one before it. */
export const LAG_MS = 10_000;
/** A hook that is repeated later than this many facts would be counted twice. */
const RECENT_MAX = 4000;

/** Decides how far a history cannot change any more. */
export class Settling {
  readonly #start: Frontier | undefined;
  /** Seqs of the readings to the end of a transcript, rising, by thread. */
  readonly #readings = new Map<string, number[]>();
  #last: number;
  #now = 0;
  /** No sub-agent was heard of. */
  #isAlone: boolean;

  constructor(start: Frontier | undefined) {
    this.#start = start;
    this.#last = start?.last ?? 0;
    this.#isAlone = (start?.reached ?? []).every(([thread]) => thread === '');
  }

  /** Call for every event. */
  saw({ seq, at, agent }: JournalEvent): void {
    if (agent !== null) this.#isAlone = false;
    this.#last = Math.max(this.#last, seq);
    this.#now = Math.max(this.#now, at ?? 0);
  }

  read({ seq, agent, data }: JournalEvent<TranscriptRead>): void {
    if (data.partial === true) return;
    const readings = this.#readings.get(agent ?? '') ?? [];
    this.#readings.set(agent ?? '', [...readings, seq].slice(-READINGS_TO_SETTLE));
  }

  of(placed: readonly Placed[]): { count: number; frontier: Frontier } {
    const open = placed.findIndex((one, index) => this.#isOpen(one, placed.length - index));
    const count = open === -1 ? placed.length : open;
    return { count, frontier: this.#frontier(placed.slice(0, count), placed.slice(count)) };
  }

  /** @param after facts from this one on */
  #isOpen({ fact, place }: Placed, after: number): boolean {
    if (after > FACTS_TO_SETTLE) return false;
    // It tells nothing where a transcript does, and must not keep open what that has told.
    if (fact.type === 'turn.ended') return false;
    // Alone in its session a thread is read in its own order: nothing comes in before what was read already.
    const isInOrder = fact.trace !== undefined && this.#isAlone;
    if (place.time > this.#now - LAG_MS && !isInOrder) return true;
    if (fact.trace !== undefined || !TRACEABLE.has(fact.type)) return false;
    const readings = this.#readings.get(fact.agent ?? '') ?? [];
    return readings.length < READINGS_TO_SETTLE || readings[0]! < fact.seq;
  }

  #frontier(settled: readonly Placed[], open: readonly Placed[]): Frontier {
    const start = this.#start;
    const seq = open.reduce((least, { fact }) => Math.min(least, fact.seq - 1), this.#last);
    const reached = new Map(start?.reached);
    const folded = (start?.folded ?? []).filter((one) => one > seq);
    for (const { fact, place } of settled) {
      if (place.rank === 0) reached.set(place.thread, place.position);
      if (fact.seq > seq) folded.push(fact.seq);
    }
    // It says nothing where a transcript does, so that what the transcript tells of its turn may come in before it.
    const isHeard = reached.has('');
    const bound = settled.findLast(({ fact }) => !isHeard || fact.type !== 'turn.ended');
    const ids = settled.map(({ fact }) => shortId(fact.id));
    return {
      seq,
      folded,
      last: this.#last,
      place: bound?.place ?? start?.place ?? null,
      reached: [...reached],
      recent: [...(start?.recent ?? []), ...ids].slice(-RECENT_MAX),
    };
  }
}
