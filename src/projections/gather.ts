import type { JournalEvent } from '../events/types.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import { ArrivalHistory } from './arrival-history.ts';
import { Bases } from './bases.ts';
import type { Checkpoint, CheckpointStore } from './checkpoints.ts';
import type { Projection } from './contract.ts';
import { beforeDrop, type Dropped } from './dropped.ts';
import { Drops } from './drops.ts';
import { type EventQuery, readEvents } from './events.ts';
import { folding } from './folding.ts';
import type { Frontier } from './frontier.ts';
import { SessionHistory } from './history.ts';
import { comparePlaces, type Place, type Placed } from './order.ts';
import { SessionBounds } from './session-bounds.ts';
import type { Bounds } from './session-table.ts';

/** A point: `upto` cuts by arrival (what the journal knew), `before` by history (what had happened). Without either it is now. */
export interface Cut {
  upto?: number;
  /** Facts from this place on are left out. */
  before?: Place;
}

/** Events that are read before they are folded: enough for some to be settled. */
export const PART_EVENTS = 1000;
/** This close to the journal's end a session's events are found without the index. */
const NEAR_EVENTS = 500;
const STEP_EVENTS = 64;
/** Events that order facts. */
export const MERGED = ['fact.enriched', 'transcript.read'];

type Kind = Pick<Projection, 'scope' | 'types'>;

export interface GatherOptions {
  partEvents?: number;
  /** Called after each part of a long fold, once it is stored; may throw to stop there. */
  onPart?: (() => void) | undefined;
}

export interface Gathered<S> {
  state: S;
  start: Frontier | undefined;
  history: SessionHistory | ArrivalHistory;
  /** All facts that are not in the state, in order, also those after a cut by history. */
  ordered: Placed[];
  last: number;
  /** Facts folded into `state` already. */
  folded: number;
  /** False when the disk withheld something: the result must not be stored. */
  isWhole: boolean;
  /** There are more events behind `last`. */
  isPart: boolean;
}

/** Finds the newest stored state usable for a cut, and reads what must be folded onto it. */
export class Gatherer {
  readonly #reader: JournalReader;
  readonly #xxh64: Hash64;
  readonly #store: CheckpointStore | undefined;
  readonly #bounds: SessionBounds | undefined;
  readonly #drops: Drops | undefined;
  readonly #options: GatherOptions;
  readonly bases: Bases;

  constructor(
    reader: JournalReader,
    xxh64: Hash64,
    store: CheckpointStore | undefined,
    options: GatherOptions,
  ) {
    this.#reader = reader;
    this.#xxh64 = xxh64;
    this.#store = store;
    this.#options = options;
    this.#bounds = store && new SessionBounds(reader, xxh64, store, options.onPart);
    this.#drops = store && new Drops(reader, xxh64, store, this.#bounds!);
    this.bases = new Bases(reader, xxh64, this.#bounds, this.#drops);
  }

  /** Works in short steps. */
  *gather<S>(
    projection: Projection<S>,
    session: string | null,
    cut: Cut,
  ): Generator<void, Gathered<S>> {
    const { refused } = this.#reader;
    const upto = cut.upto ?? Number.MAX_SAFE_INTEGER;
    const dropped = this.bases.dropped();
    // States up to there lack events that are gone, or about to be.
    const from = dropped?.upto ?? 0;
    let wide = 0;
    let skipped = 0;
    for (const seq of this.#store?.list(projection, session) ?? []) {
      if (seq > upto || seq <= from) continue; // it knows of later events, or too little
      if (skipped > 0) {
        skipped -= 1;
        continue;
      }
      const stored = this.#store!.load<S>(projection, session, seq);
      if (stored === undefined || !serves(stored.frontier, cut)) continue;
      const gathered = yield* this.#gatherInParts(projection, session, cut, stored, refused);
      // A late event belongs before the state's end: use an older state.
      if (!gathered.history.late) return gathered;
      // It may be a late transcript of the whole session, so skip ever more states.
      skipped = wide;
      wide = Math.max(1, 2 * wide);
    }
    const base = dropped && this.#baseFor(projection, session, cut, dropped);
    const gathered = yield* this.#gatherInParts(projection, session, cut, base, refused);
    if (!gathered.history.late) return gathered;
    return yield* this.#gatherFrom(projection, session, cut, base, refused);
  }

  /** The state that stands in for removed events, if any. Late events are folded onto it: nothing older is left. */
  #baseFor<S>(
    projection: Projection<S>,
    session: string | null,
    cut: Cut,
    dropped: Dropped,
  ): Checkpoint<S> | undefined {
    if (cut.upto !== undefined && cut.upto < dropped.upto)
      throw beforeDrop(`@${cut.upto}`, dropped);
    const base = this.bases.of(projection, session);
    if (base !== undefined && !serves(base.frontier, cut)) throw beforeDrop('This point', dropped);
    return base;
  }

  /**
   * A long journal is folded and stored in parts, so that memory is bounded and an interrupted fold can continue. Events around a cut
   * by history and behind it are gathered whole, because some may belong before it.
   * @param refused `JournalReader.refused` at the start
   */
  *#gatherInParts<S>(
    projection: Projection<S>,
    session: string | null,
    cut: Cut,
    stored: Checkpoint<S> | undefined,
    refused: number,
  ): Generator<void, Gathered<S>> {
    const { partEvents = PART_EVENTS, onPart } = this.#options;
    let start = stored;
    let folded = 0;
    for (let events = partEvents; ; ) {
      const found = yield* this.#gatherFrom(projection, session, cut, start, refused, events);
      if (!found.isPart || found.history.late) return { ...found, folded };
      const { count, frontier } = found.history.settled(found.ordered);
      if (!serves(frontier, cut)) {
        events = Number.POSITIVE_INFINITY;
        continue;
      }
      // Open facts are read again with the next part, so storing little is not worth it.
      if (frontier.seq - (found.start?.seq ?? 0) < partEvents / 4) {
        events *= 2;
        continue;
      }
      const state = yield* folding(projection, found.state, found.ordered.slice(0, count));
      start = { state, frontier };
      if (this.#reader.refused === refused)
        this.#store?.tryToSave(projection, session, state, frontier);
      onPart?.();
      folded += count;
      // Larger parts are needed while many facts stay open.
      events = Math.max(partEvents, events / 2);
    }
  }

  *#gatherFrom<S>(
    projection: Projection<S>,
    session: string | null,
    cut: Cut,
    stored: Checkpoint<S> | undefined,
    refused: number,
    eventsMax = Number.POSITIVE_INFINITY,
  ): Generator<void, Gathered<S>> {
    // Decoding the stored state took its time.
    yield;
    const start = stored?.frontier;
    const history =
      projection.scope === 'session'
        ? new SessionHistory(start, projection.types)
        : new ArrivalHistory(start);
    const passed = { seq: start?.last ?? 0 };
    const range = { from: (start?.seq ?? 0) + 1, to: cut.upto, passed };
    let last = start?.last ?? 0;
    let events = 0;
    for (const event of this.eventsOf(projection, session, range)) {
      history.add(event);
      last = Math.max(last, event.seq);
      events += 1;
      // A part ends behind everything that the stored state knew, since the next one must know as much.
      if (events >= eventsMax && event.seq === last) break;
      if (events % STEP_EVENTS === 0) yield;
    }
    if (projection.scope === 'project' && history instanceof ArrivalHistory) {
      history.passed(passed.seq);
      last = passed.seq;
    }
    const state = stored?.state ?? projection.initial();
    const ordered = history.ordered();
    const isWhole = this.#reader.refused === refused;
    const isPart = events >= eventsMax;
    return { state, start, history, ordered, last, folded: 0, isWhole, isPart };
  }

  /** The session active last when `upto` had arrived; null when there was none, undefined when unknown. */
  activeSession(upto: number): string | null | undefined {
    const seq = this.#bounds?.activeAt(upto);
    if (seq === undefined || seq === null) return seq;
    const event = readEvents(this.#reader, this.#xxh64, { from: seq, to: seq }).next();
    return event.value?.session ?? undefined;
  }

  /** Where a session's events lie in the journal. */
  boundsOf(session: string): Bounds {
    return this.#bounds?.of(session) ?? { first: 1, last: Number.MAX_SAFE_INTEGER };
  }

  /** Brings the sessions' index up to date in short steps. */
  indexing(): Iterable<void> {
    return this.#bounds?.steps() ?? [];
  }

  eventsOf(projection: Kind, session: string | null, range: EventQuery): Generator<JournalEvent> {
    const { scope, types } = projection;
    if (scope === 'project') return readEvents(this.#reader, this.#xxh64, { ...range, types });
    const merged = scope === 'session' ? [...types, ...MERGED] : types;
    return readEvents(
      this.#reader,
      this.#xxh64,
      this.#within(session, { ...range, types: merged }),
    );
  }

  /** Narrowed to the part of the journal with the session's events. */
  #within(session: string | null, query: EventQuery): EventQuery {
    if (session === null || this.#bounds === undefined) return { ...query, session };
    // Reading the index takes longer than skipping so few events.
    if (this.#drops?.isNear(query.from ?? 1, NEAR_EVENTS)) return { ...query, session };
    const { first, last } = this.#bounds.of(session);
    const from = Math.max(query.from ?? 1, first);
    return { ...query, session, from, to: Math.min(query.to ?? last, last) };
  }
}

const serves = (frontier: Frontier, cut: Cut): boolean =>
  cut.before === undefined ||
  (frontier.place !== null && comparePlaces(frontier.place, cut.before) < 0);
