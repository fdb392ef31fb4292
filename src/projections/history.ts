import { CATALOGUE, isKnownType } from '../events/catalogue.ts';
import { hasShape } from '../events/shape.ts';
import type { FactEnriched, JournalEvent, Trace, TranscriptRead } from '../events/types.ts';
import type { Fact } from './contract.ts';
import { type Frontier, shortId } from './frontier.ts';
import { comparePlaces, inOrder, type Placed } from './order.ts';
import { Settling } from './settling.ts';

/**
 * Brings a session's events into history order: merges what the witnesses say of each fact, and sorts. Two
 * journals that hold the same facts give the same history, however they came to know them.
 */
export class SessionHistory {
  readonly #facts = new Map<string, Fact>();
  readonly #start: Frontier | undefined;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #folded: ReadonlySet<number>;
  readonly #recent: ReadonlySet<string>;
  readonly #settling: Settling;
  #late = false;
  /** See `mark`. */
  #marked = { upto: 0, facts: 0, isTouched: false };

  /**
   * @param start the frontier of the stored state that events are added to, if there is one
   * @param types what that state folds; what is added to facts of other types is no matter to it
   */
  constructor(start?: Frontier, types?: readonly string[]) {
    this.#start = start;
    this.#types = types && new Set(types);
    this.#folded = new Set(start?.folded);
    this.#recent = new Set(start?.recent);
    this.#settling = new Settling(start);
  }

  /** True when something turned up that belongs before the start: then the stored state must not be used. */
  get late(): boolean {
    return this.#late;
  }

  /** Events must be added in rising seq. What is not of its type's shape is passed over. */
  add(event: JournalEvent): void {
    this.#settling.saw(event);
    if (isKnownType(event.type) && !hasShape(event)) return;
    if (event.type === 'fact.enriched') this.#enrich(event as JournalEvent<FactEnriched>);
    else if (event.type === 'transcript.read') {
      this.#settling.read(event as JournalEvent<TranscriptRead>);
    } else this.#addFact(event);
  }

  /** Call when all events up to there were added: `keepsMarked` tells what became of their facts. */
  mark(upto: number): void {
    this.#marked = { upto, facts: this.#facts.size, isTouched: false };
  }

  /**
   * How many facts there were at the mark, if they still are what they were and come before all others.
   * @param placed what `ordered` returned
   */
  keepsMarked(placed: readonly Placed[]): number | undefined {
    const { upto, facts, isTouched } = this.#marked;
    const isKept = !isTouched && placed.slice(0, facts).every(({ fact }) => fact.seq <= upto);
    return isKept ? facts : undefined;
  }

  #touch({ seq }: Fact): void {
    if (seq <= this.#marked.upto) this.#marked.isTouched = true;
  }

  #addFact(event: JournalEvent): void {
    const { seq, id, type, session, agent, client, source, data } = event;
    const trace = isKnownType(type) ? (data as { trace?: Trace }).trace : undefined;
    const known = this.#facts.get(id);
    if (known !== undefined) {
      // Told twice under one id: the first stands, but only a transcript knows the place.
      if (known.trace !== undefined || trace === undefined) return;
      this.#touch(known);
      place(known, event, trace);
      return;
    }
    if (this.#folded.has(seq)) return;
    if (this.#recent.has(shortId(id))) {
      if (trace !== undefined && this.#isNews(event)) this.#late = true;
      return;
    }
    const who = { session, agent, client, source };
    this.#facts.set(id, { seq, id, type, ...who, at: event.at ?? 0, data, trace });
  }

  #enrich(event: JournalEvent<FactEnriched>): void {
    const { of, type, trace, more } = event.data;
    const fact = this.#facts.get(of);
    if (fact === undefined) {
      // Of a fact that is in the stored state with less than is known now.
      if (this.#types?.has(type) !== false && this.#isNews(event)) this.#late = true;
      return;
    }
    this.#touch(fact);
    if (trace !== undefined) place(fact, event, trace);
    if (more !== undefined) fact.data = merged(fact, more);
  }

  /** Of the stored state's time or before, it is in there. */
  #isNews({ seq }: JournalEvent): boolean {
    return this.#start !== undefined && seq > this.#start.last;
  }

  /** All facts added, in history order. */
  ordered(): Placed[] {
    const placed = inOrder(this.#facts.values());
    const reached = new Map(this.#start?.reached);
    const isBehind = ({ place }: Placed) =>
      place.rank === 0 && place.position < (reached.get(place.thread) ?? 0);
    if (placed.some(isBehind)) this.#late = true;
    const first = placed[0];
    const limit = this.#start?.place;
    if (first !== undefined && limit && comparePlaces(first.place, limit) < 0) this.#late = true;
    return placed;
  }

  /**
   * How much of it can be stored without having to be taken back.
   * @param placed what `ordered` returned
   */
  settled(placed: readonly Placed[]): { count: number; frontier: Frontier } {
    return this.#settling.of(placed);
  }
}

/** A transcript says where and when it was, and whose: hooks of older clients do not name sub-agents. */
function place(fact: Fact, { at, agent }: JournalEvent, trace: Trace): void {
  fact.trace = trace;
  fact.at = at ?? fact.at;
  fact.agent ??= agent;
}

/** The fact's data with what is known better, unless that would make it something else. */
function merged({ type, data }: Fact, more: Record<string, unknown>): unknown {
  if (!isKnownType(type)) return data;
  const whole = { ...(data as object), ...more };
  return hasShape({ type, version: CATALOGUE[type].version, data: whole }) ? whole : data;
}
