import type { JournalReader } from '../journal/reader.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import { ArrivalHistory } from './arrival-history.ts';
import type { Checkpoint, CheckpointStore } from './checkpoints.ts';
import type { Fact, Projection } from './contract.ts';
import { type EventQuery, readEvents } from './events.ts';
import type { Frontier } from './frontier.ts';
import { SessionHistory } from './history.ts';
import { comparePlaces, type Place, type Placed } from './order.ts';
import { SessionBounds } from './session-bounds.ts';

/**
 * Where a state is asked for: `upto` cuts by arrival (what the journal knew), `before` by history (what had
 * happened). Without either it is everything.
 */
export interface Cut {
  upto?: number;
  /** Facts from this place on are left out. */
  before?: Place;
}

export interface StateAt<S> {
  state: S;
  /** Of the newest event that the state knows of; 0 when there is none. */
  seq: number;
  /** Its time, milliseconds since the epoch; null when there is none. */
  at: number | null;
  /** How many facts were folded to get here, after the stored state that was used. */
  folded: number;
}

/** A stored state is worth its file when this many events lie between it and the one before. */
const CHECKPOINT_EVENTS = 100;
/** How many arrivals are read before they are folded. */
export const PART_EVENTS = 5000;
/** Newest states that are held, so that one process does not decode them again and again. */
const NEWEST_KEPT = 4;
/** What a history has to see, besides the facts, to bring them into order. */
const MERGED = ['fact.enriched', 'transcript.read'];

/** What of a projection says which events it folds. */
type Kind = Pick<Projection, 'scope' | 'types'>;

interface Gathered<S> {
  /** The stored state, or the initial one. */
  state: S;
  start: Frontier | undefined;
  history: SessionHistory | ArrivalHistory;
  /** All facts that are not in the state, in order, also those behind a history cut. */
  ordered: Placed[];
  /** The newest event that was looked at. */
  last: number;
  /** How many facts were folded into `state` already. */
  folded: number;
  /** True when there are more events behind `last`. */
  isPart: boolean;
}

/** States of projections at points of the journal: the newest stored one before the point, and a fold of the rest. */
export class States {
  readonly #reader: JournalReader;
  readonly #xxh64: Hash64;
  readonly #store: CheckpointStore | undefined;
  readonly #bounds: SessionBounds | undefined;
  readonly #newest = new Map<string, StateAt<unknown>>();

  /** @param store undefined to fold from the very start */
  constructor(reader: JournalReader, xxh64: Hash64, store?: CheckpointStore) {
    this.#reader = reader;
    this.#xxh64 = xxh64;
    this.#store = store;
    this.#bounds = store && new SessionBounds(reader, xxh64, store);
  }

  /**
   * @param session null for a projection over the whole project
   * @returns to be read only: who asks again while nothing was added is given the same
   */
  at<S>(projection: Projection<S>, session: string | null, cut: Cut = {}): StateAt<S> {
    if (cut.upto !== undefined || cut.before !== undefined)
      return this.#at(projection, session, cut);
    const key = `${projection.name} ${session}`;
    const known = this.#newest.get(key) as StateAt<S> | undefined;
    if (known !== undefined && !this.#hasMore(projection, session, known.seq)) return known;
    const found = this.#at(projection, session, cut);
    this.#newest.delete(key);
    this.#newest.set(key, found);
    if (this.#newest.size > NEWEST_KEPT) this.#newest.delete(this.#newest.keys().next().value!);
    return found;
  }

  #hasMore(projection: Kind, session: string | null, after: number): boolean {
    const query = this.#queryOf(projection, session, { from: after + 1 });
    return readEvents(this.#reader, this.#xxh64, query).next().done !== true;
  }

  #at<S>(projection: Projection<S>, session: string | null, cut: Cut): StateAt<S> {
    const found = this.#gather(projection, session, cut);
    const { ordered, start, last } = found;
    let state = found.state;
    const { before } = cut;
    if (before !== undefined) {
      const placed = ordered.filter((one) => comparePlaces(one.place, before) < 0);
      state = foldAll(projection, state, placed);
      return { state, ...newestOf(placed, start), folded: placed.length };
    }
    const settled = found.history.settled(ordered);
    state = foldAll(projection, state, ordered.slice(0, settled.count));
    if (settled.frontier.seq - (start?.seq ?? 0) >= CHECKPOINT_EVENTS) {
      this.#tryToStore(projection, session, state, settled.frontier);
    }
    state = foldAll(projection, state, ordered.slice(settled.count));
    return {
      state,
      ...newestOf(ordered, start),
      seq: last,
      folded: found.folded + ordered.length,
    };
  }

  /**
   * Stores the newest state, as far as it cannot change any more, however little is new in it.
   * @returns bytes on disk; 0 when it was not stored
   * @throws as `CheckpointStore.save`
   */
  checkpoint<S>(projection: Projection<S>, session: string | null): number {
    const { ordered, state, history } = this.#gather(projection, session, {});
    const { count, frontier } = history.settled(ordered);
    const settled = foldAll(projection, state, ordered.slice(0, count));
    return this.#store?.save(projection, session, settled, frontier) ?? 0;
  }

  /** A state that could not be stored is folded again the next time: a full or read-only disk stops no reader. */
  #tryToStore<S>(
    projection: Projection<S>,
    session: string | null,
    state: S,
    frontier: Frontier,
  ): void {
    try {
      this.#store?.save(projection, session, state, frontier);
    } catch (error) {
      if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
    }
  }

  /** The newest stored state that serves the cut, and what has to be folded onto it. */
  #gather<S>(projection: Projection<S>, session: string | null, cut: Cut): Gathered<S> {
    const upto = cut.upto ?? Number.MAX_SAFE_INTEGER;
    for (const seq of this.#store?.list(projection, session) ?? []) {
      if (seq > upto) continue; // it knows of later events
      const stored = this.#store!.load<S>(projection, session, seq);
      if (stored === undefined || !serves(stored.frontier, cut)) continue;
      const gathered = this.#gatherInParts(projection, session, cut, stored);
      // Something turned up that belongs before its end: then it must not be used.
      if (!gathered.history.late) return gathered;
    }
    return this.#gatherInParts(projection, session, cut, undefined);
  }

  /** Arrivals are folded and stored in parts: nobody holds a whole journal, and who is cut off has got on. */
  #gatherInParts<S>(
    projection: Projection<S>,
    session: string | null,
    cut: Cut,
    stored: Checkpoint<S> | undefined,
  ): Gathered<S> {
    let found = this.#gatherFrom(projection, session, cut, stored);
    while (found.isPart) {
      const { frontier } = found.history.settled(found.ordered);
      const state = foldAll(projection, found.state, found.ordered);
      this.#tryToStore(projection, session, state, frontier);
      const folded = found.folded + found.ordered.length;
      found = { ...this.#gatherFrom(projection, session, cut, { state, frontier }), folded };
    }
    return found;
  }

  #gatherFrom<S>(
    projection: Projection<S>,
    session: string | null,
    cut: Cut,
    stored: Checkpoint<S> | undefined,
  ): Gathered<S> {
    const start = stored?.frontier;
    const isMerged = projection.scope === 'session';
    const history = isMerged
      ? new SessionHistory(start, projection.types)
      : new ArrivalHistory(start);
    const eventsMax = isMerged || cut.before !== undefined ? Number.POSITIVE_INFINITY : PART_EVENTS;
    const range = { from: (start?.seq ?? 0) + 1, to: cut.upto };
    const query = this.#queryOf(projection, session, range);
    let last = start?.last ?? 0;
    let events = 0;
    for (const event of readEvents(this.#reader, this.#xxh64, query)) {
      history.add(event);
      last = Math.max(last, event.seq);
      events += 1;
      if (events === eventsMax) break;
    }
    const state = stored?.state ?? projection.initial();
    const ordered = history.ordered();
    return { state, start, history, ordered, last, folded: 0, isPart: events === eventsMax };
  }

  /** What of the journal a projection folds. */
  #queryOf(projection: Kind, session: string | null, range: EventQuery): EventQuery {
    const { scope, types } = projection;
    if (scope === 'project') return { ...range, types };
    const merged = scope === 'session' ? [...types, ...MERGED] : types;
    return this.#within(session, { ...range, types: merged });
  }

  /** Only the part of the journal that holds the session's events. */
  #within(session: string | null, query: EventQuery): EventQuery {
    if (session === null || this.#bounds === undefined) return { ...query, session };
    const { first, last } = this.#bounds.of(session);
    const from = Math.max(query.from ?? 1, first);
    return { ...query, session, from, to: Math.min(query.to ?? last, last) };
  }

  /**
   * The states of every session at once, in one pass over the journal.
   * @param projection of scope `session-arrival`
   */
  bySession<S>(projection: Projection<S>): Map<string, S> {
    const states = new Map<string, S>();
    const { types } = projection;
    for (const event of readEvents(this.#reader, this.#xxh64, { types })) {
      if (event.session === null) continue;
      const history = new ArrivalHistory();
      history.add(event);
      const state = states.get(event.session) ?? projection.initial();
      states.set(event.session, foldAll(projection, state, history.ordered()));
    }
    return states;
  }

  /** All facts of a session in history order, of all types given. */
  facts(session: string, types: readonly string[], cut: Cut = {}): Placed[] {
    const history = new SessionHistory();
    const query = this.#within(session, { types: [...types, ...MERGED], to: cut.upto });
    for (const event of readEvents(this.#reader, this.#xxh64, query)) history.add(event);
    const ordered = history.ordered();
    const { before } = cut;
    return before === undefined
      ? ordered
      : ordered.filter((one) => comparePlaces(one.place, before) < 0);
  }
}

function foldAll<S>(projection: Projection<S>, start: S, placed: readonly Placed[]): S {
  const types = new Set(projection.types);
  let state = start;
  for (const { fact } of placed)
    if (types.has(fact.type)) state = projection.apply(state, fact as Fact);
  return state;
}

function newestOf(
  placed: readonly Placed[],
  start: Frontier | undefined,
): { seq: number; at: number | null } {
  const seq = placed.reduce((max, { fact }) => Math.max(max, fact.seq), start?.seq ?? 0);
  return { seq, at: placed.at(-1)?.fact.at ?? start?.place?.time ?? null };
}

const serves = (frontier: Frontier, cut: Cut): boolean =>
  cut.before === undefined ||
  (frontier.place !== null && comparePlaces(frontier.place, cut.before) < 0);
