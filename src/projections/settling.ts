import type { JournalEvent, TranscriptRead } from '../events/types.ts';
import { keepNewest } from './bounds.ts';
import type { Fact } from './contract.ts';
import { type Frontier, shortId } from './frontier.ts';
import type { Placed } from './order.ts';

/** Facts that a transcript will carry, so their place may change until it was read. */
const TRACEABLE = new Set([
  'prompt.submitted',
  'tool.called',
  'tool.succeeded',
  'tool.failed',
  'compaction.finished',
]);
/** A fact missing from this many readings of its transcript will not come: a transcript lags by one reading. */
const READINGS_TO_SETTLE = 2;
/** A fact settles in any case when this many others follow. */
const FACTS_TO_SETTLE = 2000;
/** Threads are written side by side and late by some 100 ms, so younger facts may still move. */
export const LAG_MS = 10_000;
/** A hook repeated after more facts than this would be counted twice. */
const RECENT_MAX = 4000;

/** Decides which part of a history can no longer change. */
export class Settling {
  readonly #start: Frontier | undefined;
  /** Seqs of complete readings of a transcript, rising, by thread. */
  readonly #readings = new Map<string, number[]>();
  /** Seq of the newest incomplete reading, by thread. */
  readonly #partial = new Map<string, number>();
  readonly #turns = new Turns();
  #last: number;
  #now = 0;
  /** No sub-agent was seen. */
  #isAlone: boolean;

  constructor(start: Frontier | undefined) {
    this.#start = start;
    this.#last = start?.last ?? 0;
    this.#isAlone = (start?.reached ?? []).every(([thread]) => thread === '');
  }

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

  /** @param after number of facts from this one on */
  #isOpen({ fact, place }: Placed, after: number): boolean {
    if (after > FACTS_TO_SETTLE) return false;
    // With a transcript it adds nothing, so it must not keep other facts open.
    if (fact.type === 'turn.ended') return false;
    const isTraced = fact.trace !== undefined;
    const isNowhere = !isTraced && this.#wasLookedFor(fact);
    // A thread alone in its session is read in order: nothing can come before what was read.
    const isInOrder = this.#isAlone && (isTraced || isNowhere);
    if (place.time > this.#now - LAG_MS && !isInOrder) return true;
    return !isTraced && TRACEABLE.has(fact.type) && !isNowhere;
  }

  /** In vain, often enough. */
  #wasLookedFor({ seq, agent }: Fact): boolean {
    const thread = agent ?? '';
    const readings = this.#readings.get(thread) ?? [];
    if (readings.length === READINGS_TO_SETTLE && readings[0]! > seq) return true;
    // A partial reading may have missed it; the main thread's transcript is read first.
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
    // What a transcript tells of a turn may still come before the hook's event of its end.
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

/** After this many turns a fact is in no transcript: each turn's end has looked for it. */
const TURNS_TO_PASS = 2;
const HOOKS: ReadonlySet<string> = new Set(['hook', 'mcp-hook']);

/**
 * The main thread's turns. The hooks at their ends read the transcripts; without any, turns alone show how far a session got. An
 * interrupted turn has no end, so prompts count by themselves.
 */
class Turns {
  readonly #ends: number[] = [];
  readonly #prompts: number[] = [];
  /** The newest hook event was a turn's end. */
  #isOver = false;

  saw({ seq, type, agent, source }: JournalEvent): void {
    if (agent !== null || !HOOKS.has(source)) return;
    const isEnd = type === 'turn.ended';
    // A repeated end is one end.
    if (isEnd && this.#isOver) this.#ends.pop();
    if (isEnd) this.#ends.push(seq);
    else if (type === 'prompt.submitted') this.#prompts.push(seq);
    for (const list of [this.#ends, this.#prompts]) keepNewest(list, TURNS_TO_PASS);
    this.#isOver = isEnd;
  }

  havePassed(seq: number): boolean {
    return [this.#ends, this.#prompts].some(
      (list) => list.length === TURNS_TO_PASS && list[0]! > seq,
    );
  }
}
