import type { FactEnriched, JournalEvent, Trace } from '../events/types.ts';
import type { Fact } from './contract.ts';
import { comparePlaces, inOrder, type Place, type Placed } from './order.ts';

/** Facts that a transcript is going to carry, so that their place may still change until it was read. */
const TRACEABLE = new Set([
  'prompt.submitted',
  'tool.called',
  'tool.succeeded',
  'tool.failed',
  'compaction.finished',
]);
/** A fact that this many readings of the transcript did not find is in none. */
const READINGS_TO_SETTLE = 2;
/** Without any transcript a fact settles when this many others came after it. */
const FACTS_TO_SETTLE = 2000;

/** A stored state's own account of what it holds; see `SettledPart`. */
export interface Frontier {
  /** Every event up to here is in the state. */
  seq: number;
  /** Later events that are in it too. */
  folded: number[];
  /** The last place that is in it; nothing may come in before. */
  place: Place | null;
  /** Latest time by thread. */
  latest: [string, number][];
  /** First 8 bytes of the newest facts' ids, hex: a fact that a late hook repeats is told by them. */
  recent: string[];
}

/** A hook that is repeated later than this many facts would be counted twice. */
const RECENT_MAX = 4000;
const shortId = (id: string): string => id.slice(0, 16);

/** How far facts are settled: what can be stored without having to be taken back. */
export interface SettledPart {
  /** Number of facts of `ordered()` that belong to it. */
  count: number;
  frontier: Frontier;
}

/**
 * Brings a session's events into history order: merges what the witnesses say of each fact, and sorts. Two
 * journals that hold the same facts give the same history, however they came to know them.
 */
export class SessionHistory {
  readonly #facts = new Map<string, Fact>();
  readonly #start: Frontier | undefined;
  readonly #folded: ReadonlySet<number>;
  readonly #recent: ReadonlySet<string>;
  /** Seqs of the readings of a transcript, rising. */
  readonly #readings: number[] = [];
  #last = 0;
  #late = false;

  /** @param start the frontier of the stored state that events are added to, if there is one */
  constructor(start?: Frontier) {
    this.#start = start;
    this.#folded = new Set(start?.folded);
    this.#recent = new Set(start?.recent);
    this.#last = start?.seq ?? 0;
  }

  /** True when something turned up that belongs before the start: then the stored state must not be used. */
  get late(): boolean {
    return this.#late;
  }

  /** Events must be added in rising seq. */
  add(event: JournalEvent): void {
    this.#last = event.seq;
    if (event.type === 'fact.enriched') {
      this.#enrich(event as JournalEvent<FactEnriched>);
    } else if (event.type === 'transcript.read') {
      this.#readings.push(event.seq);
    } else if (!this.#isKnown(event)) {
      const trace = (event.data as { trace?: Trace }).trace;
      const { seq, id, type, session, agent, client, source, data } = event;
      const at = event.at ?? 0;
      this.#facts.set(id, { seq, id, type, session, agent, client, source, at, data, trace });
    }
  }

  #isKnown({ seq, id }: JournalEvent): boolean {
    return this.#folded.has(seq) || this.#facts.has(id) || this.#recent.has(shortId(id));
  }

  #enrich(event: JournalEvent<FactEnriched>): void {
    const fact = this.#facts.get(event.data.of);
    if (fact === undefined) {
      // Of a fact that is in the stored state with less than is known now.
      if (!this.#folded.has(event.seq)) this.#late ||= this.#start !== undefined;
      return;
    }
    if (event.data.trace !== undefined) {
      fact.trace = event.data.trace;
      fact.at = event.at ?? fact.at;
    }
    if (event.data.more !== undefined) fact.data = { ...(fact.data as object), ...event.data.more };
  }

  /** All facts added, in history order. */
  ordered(): Placed[] {
    const placed = inOrder([...this.#facts.values()], new Map(this.#start?.latest));
    const first = placed[0];
    const limit = this.#start?.place;
    if (first !== undefined && limit && comparePlaces(first.place, limit) < 0) this.#late = true;
    return placed;
  }

  /** @param placed what `ordered` returned */
  settled(placed: readonly Placed[]): SettledPart {
    const readAfter = this.#readings.at(-READINGS_TO_SETTLE);
    const open = placed.findIndex(({ fact }, index) => {
      if (fact.trace !== undefined || !TRACEABLE.has(fact.type)) return false;
      if (readAfter !== undefined) return fact.seq > readAfter;
      return placed.length - index <= FACTS_TO_SETTLE;
    });
    const count = open === -1 ? placed.length : open;
    const rest = placed.slice(count).map(({ fact }) => fact.seq);
    const seq = rest.length === 0 ? this.#last : Math.min(...rest) - 1;
    const latest = new Map(this.#start?.latest);
    const folded: number[] = [];
    for (const { fact, place } of placed.slice(0, count)) {
      if (place.rank === 0) latest.set(place.thread, place.time);
      if (fact.seq > seq) folded.push(fact.seq);
    }
    const place = placed[count - 1]?.place ?? this.#start?.place ?? null;
    const still = (this.#start?.folded ?? []).filter((one) => one > seq);
    const ids = placed.slice(0, count).map(({ fact }) => shortId(fact.id));
    const recent = [...(this.#start?.recent ?? []), ...ids].slice(-RECENT_MAX);
    const frontier = { seq, folded: [...still, ...folded], place, latest: [...latest], recent };
    return { count, frontier };
  }
}

/** Events as they arrived, unmerged: for counts, and for what is about the arrival itself. */
export class ArrivalHistory {
  readonly late = false;
  readonly #placed: Placed[] = [];

  add(event: JournalEvent): void {
    const { seq, id, type, session, agent, client, source, data } = event;
    const at = event.at ?? 0;
    const fact: Fact = {
      seq,
      id,
      type,
      session,
      agent,
      client,
      source,
      at,
      data,
      trace: undefined,
    };
    this.#placed.push({ fact, place: { time: at, rank: 1, thread: '', position: seq } });
  }

  ordered(): Placed[] {
    return this.#placed;
  }

  settled(placed: readonly Placed[]): SettledPart {
    const last = placed.at(-1);
    const frontier = {
      seq: last?.fact.seq ?? 0,
      folded: [],
      place: last?.place ?? null,
      latest: [],
      recent: [],
    };
    return { count: placed.length, frontier };
  }
}
