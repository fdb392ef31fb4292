import type { JournalReader } from '../journal/reader.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import type { Checkpoint, CheckpointStore } from './checkpoints.ts';
import type { Fact, Projection } from './contract.ts';
import { type EventQuery, readEvents } from './events.ts';
import { ArrivalHistory, type Frontier, SessionHistory } from './history.ts';
import { comparePlaces, type Place, type Placed } from './order.ts';

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

/** States of projections at points of the journal: the newest stored one before the point, and a fold of the rest. */
export class States {
  readonly #reader: JournalReader;
  readonly #xxh64: Hash64;
  readonly #store: CheckpointStore | undefined;

  /** @param store undefined to fold from the very start */
  constructor(reader: JournalReader, xxh64: Hash64, store?: CheckpointStore) {
    this.#reader = reader;
    this.#xxh64 = xxh64;
    this.#store = store;
  }

  /** @param session null for a projection over the whole project */
  at<S>(projection: Projection<S>, session: string | null, cut: Cut = {}): StateAt<S> {
    for (const seq of this.#stored(projection, session, cut)) {
      const checkpoint = this.#store!.load(projection, session, seq);
      if (checkpoint === undefined || !serves(checkpoint.frontier, cut)) continue;
      const result = this.#from(projection, session, cut, checkpoint);
      if (result !== undefined) return result;
    }
    return this.#from(projection, session, cut, undefined)!;
  }

  #stored<S>(projection: Projection<S>, session: string | null, cut: Cut): number[] {
    const upto = cut.upto ?? Number.MAX_SAFE_INTEGER;
    return (this.#store?.list(projection as Projection, session) ?? []).filter(
      (seq) => seq <= upto,
    );
  }

  /** Undefined when the stored state turns out to lack something that belongs before its end. */
  #from<S>(
    projection: Projection<S>,
    session: string | null,
    cut: Cut,
    start: Checkpoint<S> | undefined,
  ): StateAt<S> | undefined {
    const merged = projection.scope === 'session';
    const history = merged ? new SessionHistory(start?.frontier) : new ArrivalHistory();
    const types = [...projection.types, 'fact.enriched', 'transcript.read'];
    const from = (start?.frontier.seq ?? 0) + 1;
    const query: EventQuery = { from, types: merged ? types : projection.types };
    if (cut.upto !== undefined) query.to = cut.upto;
    if (projection.scope !== 'project') query.session = session;
    let last = from - 1;
    for (const event of readEvents(this.#reader, this.#xxh64, query)) {
      history.add(event);
      last = event.seq;
    }
    const ordered = history.ordered();
    if (history.late) return undefined;
    const { before } = cut;
    let state = start?.state ?? projection.initial();
    if (before !== undefined) {
      const placed = ordered.filter((one) => comparePlaces(one.place, before) < 0);
      state = foldAll(projection, state, placed);
      return { state, ...newestOf(placed, start?.frontier), folded: placed.length };
    }
    const settled = history.settled(ordered);
    state = foldAll(projection, state, ordered.slice(0, settled.count));
    if (settled.frontier.seq - (start?.frontier.seq ?? 0) >= CHECKPOINT_EVENTS) {
      this.#store?.save(projection, session, state, settled.frontier);
    }
    state = foldAll(projection, state, ordered.slice(settled.count));
    return { state, ...newestOf(ordered, start?.frontier), seq: last, folded: ordered.length };
  }

  /** All facts of a session in history order, of all types given. */
  facts(session: string, types: readonly string[], cut: Cut = {}): Placed[] {
    const history = new SessionHistory();
    const query = { types: [...types, 'fact.enriched', 'transcript.read'], session };
    const to = cut.upto === undefined ? {} : { to: cut.upto };
    for (const event of readEvents(this.#reader, this.#xxh64, { ...query, ...to }))
      history.add(event);
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
