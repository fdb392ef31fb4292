import { CATALOGUE, isKnownType } from '../events/catalogue.ts';
import { hasShape } from '../events/shape.ts';
import type { FactEnriched, JournalEvent, Trace, TranscriptRead } from '../events/types.ts';
import type { Fact } from './contract.ts';
import { type Frontier, shortId } from './frontier.ts';
import { comparePlaces, inOrder, type Placed } from './order.ts';
import { Settling } from './settling.ts';

/** Merges what a session's sources say of each fact, and sorts. Journals with the same facts give the same history. */
export class SessionHistory {
  readonly #facts = new Map<string, Fact>();
  readonly #start: Frontier | undefined;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #folded: ReadonlySet<number>;
  readonly #recent: ReadonlySet<string>;
  readonly #settling: Settling;
  #late = false;
  #marked = { upto: 0, facts: 0, isTouched: false };

  /**
   * @param start the frontier of the stored state to fold onto
   * @param types of that state: late news of other types does not matter
   */
  constructor(start?: Frontier, types?: readonly string[]) {
    this.#start = start;
    this.#types = types && new Set(types);
    this.#folded = new Set(start?.folded);
    this.#recent = new Set(start?.recent);
    this.#settling = new Settling(start);
  }

  /** An event belongs before the start, so the stored state must not be used. */
  get late(): boolean {
    return this.#late;
  }

  /** Events must come in order of seq; those of a wrong shape are skipped. */
  add(event: JournalEvent): void {
    this.#settling.saw(event);
    if (isKnownType(event.type) && !hasShape(event)) return;
    if (event.type === 'fact.enriched') this.#enrich(event as JournalEvent<FactEnriched>);
    else if (event.type === 'transcript.read') {
      this.#settling.read(event as JournalEvent<TranscriptRead>);
    } else this.#addFact(event);
  }

  /** Call it when all events up to there were added; see `keepsMarked`. */
  mark(upto: number): void {
    this.#marked = { upto, facts: this.#facts.size, isTouched: false };
  }

  /** The number of facts at the mark, if they are unchanged and come before all others. @param placed from `ordered` */
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
      // A repeated event: the first counts, but only a transcript knows the place.
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
      // It completes a fact in the stored state.
      if (this.#types?.has(type) !== false && this.#isNews(event)) this.#late = true;
      return;
    }
    this.#touch(fact);
    if (trace !== undefined) place(fact, event, trace);
    if (more !== undefined) fact.data = merged(fact, more);
  }

  /** Whether it came after the stored state. */
  #isNews({ seq }: JournalEvent): boolean {
    return this.#start !== undefined && seq > this.#start.last;
  }

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

  /** The facts that will not move any more. @param placed from `ordered` */
  settled(placed: readonly Placed[]): { count: number; frontier: Frontier } {
    return this.#settling.of(placed);
  }
}

/** A transcript knows the place, the time and the sub-agent, which hooks of older clients do not name. */
function place(fact: Fact, { at, agent }: JournalEvent, trace: Trace): void {
  fact.trace = trace;
  fact.at = at ?? fact.at;
  fact.agent ??= agent;
}

/** With more data, unless the result would not fit the type. */
function merged({ type, data }: Fact, more: Record<string, unknown>): unknown {
  if (!isKnownType(type)) return data;
  const whole = { ...(data as object), ...more };
  return hasShape({ type, version: CATALOGUE[type].version, data: whole }) ? whole : data;
}
