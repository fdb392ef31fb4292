import type { JournalEvent, TranscriptRead } from '../events/types.ts';
import type { Fact } from './contract.ts';
import { type Frontier, shortId } from './frontier.ts';
import type { Placed } from './order.ts';
import { Turns } from './turns.ts';

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
  /** Seq of the newest reading that did not get to the end of a transcript, by thread. */
  readonly #partial = new Map<string, number>();
  readonly #turns = new Turns();
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
  saw(event: JournalEvent): void {
    const { seq, at, agent } = event;
    this.#turns.saw(event);
    if (agent !== null) this.#isAlone = false;
    this.#last = Math.max(this.#last, seq);
    this.#now = Math.max(this.#now, at ?? 0);
  }

  read({ seq, agent, data }: JournalEvent<TranscriptRead>): void {
    const thread = agent ?? '';
    if (data.partial === true) {
      this.#partial.set(thread, seq);
      return;
    }
    const readings = this.#readings.get(thread) ?? [];
    this.#readings.set(thread, [...readings, seq].slice(-READINGS_TO_SETTLE));
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
    const isTold = fact.trace !== undefined;
    const isNowhere = !isTold && this.#wasLookedFor(fact);
    // Alone in its session a thread is read in its own order: nothing comes in before what was read already.
    const isInOrder = this.#isAlone && (isTold || isNowhere);
    if (place.time > this.#now - LAG_MS && !isInOrder) return true;
    return !isTold && TRACEABLE.has(fact.type) && !isNowhere;
  }

  /** In vain, as often as it takes. */
  #wasLookedFor({ seq, agent }: Fact): boolean {
    const thread = agent ?? '';
    const readings = this.#readings.get(thread) ?? [];
    if (readings.length === READINGS_TO_SETTLE && readings[0]! > seq) return true;
    // While a transcript is read in parts, a turn's end says nothing of what is in the rest; the main thread's is read first.
    const partial = Math.max(this.#partial.get(thread) ?? 0, this.#partial.get('') ?? 0);
    return this.#turns.havePassed(Math.max(seq, partial));
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
