import type { JournalReader } from '../journal/read/reader.ts';
import { atOnce } from '../platform/at-once.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import { gatherAhead, saveAhead } from './ahead.ts';
import type { Checkpoint, CheckpointStore, Defer } from './checkpoints.ts';
import type { Projection } from './contract.ts';
import type { Dropped, LostStates } from './dropped.ts';
import { type DueOptions, isDue } from './due.ts';
import {
  type Base,
  baseOf,
  type Found,
  foldAll,
  folding,
  type Newest,
  newestOf,
  type StateAt,
  upTo,
} from './folding.ts';
import { type Cut, Gatherer, type GatherOptions } from './gather.ts';
import { SessionHistory } from './history.ts';
import type { Placed } from './order.ts';
import type { Bounds } from './session-table.ts';

export type { Base, StateAt } from './folding.ts';

/** Recent states stay decoded. */
const NEWEST_KEPT = 6;

export interface StatesOptions extends GatherOptions, DueOptions {
  /** Receives the task that stores a state found on the way, to run after the answer; by default it runs at once. */
  defer?: Defer | undefined;
}

/** States of projections at points of the journal: the newest stored state before the point, and a fold of the rest. */
export class States {
  readonly #reader: JournalReader;
  readonly #xxh64: Hash64;
  readonly #store: CheckpointStore | undefined;
  readonly #options: StatesOptions;
  /** For the journal `#origin`. */
  #gathererOf: Gatherer;
  #origin: string | undefined;
  readonly #newest = new Map<string, Newest>();

  /** @param store undefined to fold from the start */
  constructor(
    reader: JournalReader,
    xxh64: Hash64,
    store?: CheckpointStore,
    options: StatesOptions = {},
  ) {
    this.#reader = reader;
    this.#xxh64 = xxh64;
    this.#store = store;
    this.#options = options;
    this.#gathererOf = new Gatherer(reader, xxh64, store, options);
  }

  /** Another journal may have taken the place of the one that was read. */
  #gatherer(): Gatherer {
    const origin = this.#reader.origin();
    if (origin !== this.#origin) {
      this.#origin = origin;
      this.#newest.clear();
      this.#gathererOf = new Gatherer(this.#reader, this.#xxh64, this.#store, this.#options);
    }
    return this.#gathererOf;
  }

  /**
   * @param session null for a projection of the whole project
   * @returns read-only: the same object until something is added
   */
  at<S>(projection: Projection<S>, session: string | null, cut: Cut = {}): StateAt<S> {
    return atOnce(this.reaching(projection, session, cut));
  }

  /** As `at`; an older state is found in short steps. */
  *reaching<S>(
    projection: Projection<S>,
    session: string | null,
    cut: Cut = {},
  ): Generator<void, StateAt<S>> {
    const gatherer = this.#gatherer();
    if (cut.upto === undefined)
      return this.#newestAt(gatherer, projection, session, cut.before).found;
    return (yield* this.#at(gatherer, projection, session, cut)).found;
  }

  #newestAt<S>(
    gatherer: Gatherer,
    projection: Projection<S>,
    session: string | null,
    before: Cut['before'],
  ): Found<S> {
    const cut = before === undefined ? {} : { before };
    const key = `${projection.name} ${session} ${JSON.stringify(cut)}`;
    const known = this.#newest.get(key);
    const { refused } = this.#reader;
    if (known !== undefined) {
      const range = { from: known.passed.seq + 1, passed: known.passed };
      const news = gatherer.eventsOf(projection, session, range).next();
      if (news.done && this.#reader.refused === refused) return known as Found<S> & Newest;
    }
    const found =
      this.#ahead(gatherer, projection, session, before) ??
      atOnce(this.#at(gatherer, projection, session, cut));
    this.#newest.delete(key);
    if (this.#reader.refused === refused)
      this.#newest.set(key, { ...found, passed: { seq: found.last } });
    if (this.#newest.size > NEWEST_KEPT) this.#newest.delete(this.#newest.keys().next().value!);
    return found;
  }

  #ahead<S>(
    gatherer: Gatherer,
    projection: Projection<S>,
    session: string | null,
    before: Cut['before'],
  ): Found<S> | undefined {
    const isOfUse = before !== undefined || this.#options.awaited !== undefined;
    if (!isOfUse || this.#store === undefined || projection.scope !== 'session') return undefined;
    const found = gatherAhead(gatherer, this.#store, projection, session, before);
    if (found === undefined) return undefined;
    const { start, last, count } = found;
    const placed = upTo(before, found.ordered);
    const state = foldAll(projection, found.state, placed.slice(count));
    const newest = newestOf(placed, start);
    const seq = before === undefined ? last : newest.seq;
    return { found: { ...newest, state, seq, folded: placed.length - count }, last };
  }

  *#at<S>(
    gatherer: Gatherer,
    projection: Projection<S>,
    session: string | null,
    cut: Cut,
  ): Generator<void, Found<S>> {
    const found = yield* gatherer.gather(projection, session, cut);
    const { ordered, start, last, isWhole } = found;
    let state = found.state;
    const { before } = cut;
    if (before !== undefined) {
      const placed = upTo(before, ordered);
      state = yield* folding(projection, state, placed);
      const folded = found.folded + placed.length;
      return { found: { state, ...newestOf(placed, start), folded }, last };
    }
    const { count, frontier } = found.history.settled(ordered);
    const settled = ordered.slice(0, count);
    state = yield* folding(projection, state, settled);
    const isPast = cut.upto !== undefined;
    if (
      isWhole &&
      isDue(projection, session, { stored: start, frontier }, settled, this.#options) &&
      !(isPast && this.#store?.hasKeyframe(projection, session, frontier.last))
    )
      this.#store?.tryToSave(projection, session, state, frontier, this.#options.defer);
    yield;
    state = yield* folding(projection, state, ordered.slice(count));
    return {
      found: {
        state,
        ...newestOf(ordered, start),
        seq: last,
        folded: found.folded + ordered.length,
      },
      last,
      ahead: { frontier, count: ordered.length - count },
    };
  }

  /** Stores the newest state for the next hook: see `Ahead`. Ignores a failing disk. @throws as `at` */
  keepAhead<S>(projection: Projection<S>, session: string): void {
    const gatherer = this.#gatherer();
    const { refused } = this.#reader;
    const { found, ahead } = this.#newestAt(gatherer, projection, session, undefined);
    const isWhole = this.#reader.refused === refused;
    if (this.#store === undefined || ahead === undefined || !isWhole) return;
    saveAhead(this.#store, projection, session, { state: found.state, ...ahead });
  }

  /**
   * Stores the settled part of the newest state, however little is new.
   * @returns bytes on disk, 0 when it was not stored
   * @throws as `CheckpointStore.save`
   */
  checkpoint<S>(projection: Projection<S>, session: string | null): number {
    const gatherer = this.#gatherer();
    const gathered = atOnce(gatherer.gather(projection, session, {}));
    const { ordered, state, history, isWhole } = gathered;
    const { count, frontier } = history.settled(ordered);
    const settled = foldAll(projection, state, ordered.slice(0, count));
    if (!isWhole) return 0;
    return this.#store?.save(projection, session, settled, frontier) ?? 0;
  }

  bySession<S>(projection: Projection<S>): Map<string, S> {
    return this.#gatherer().bases.allStates(projection);
  }

  dropped(): Dropped | undefined {
    return this.#gatherer().bases.dropped();
  }

  /** The state that stands in for a session's removed events, if any. */
  based<S>(projection: Projection<S>, session: string): Checkpoint<S> | undefined {
    return this.#gatherer().bases.of(projection, session);
  }

  /** As `Bases.lost`, or for a projection as `Bases.lostTo`. */
  lost(projection?: Projection, session: string | null = null): LostStates | undefined {
    const { bases } = this.#gatherer();
    return projection === undefined ? bases.lost() : bases.lostTo(projection, session);
  }

  basedSessions(): Set<string> {
    return this.#gatherer().bases.sessions();
  }

  /** As `baseOf`. */
  baseAt<S>(
    projection: Projection<S>,
    session: string | null,
    upto: number,
    goesOn: boolean,
  ): Base<S> {
    const gathered = atOnce(this.#gatherer().gather(projection, session, { upto }));
    return baseOf(projection, gathered, upto, goesOn);
  }

  /** As `Gatherer.indexing`: later calls then have little to read. */
  indexing(): Iterable<void> {
    return this.#gatherer().indexing();
  }

  /**
   * What follows the newest stored state, without decoding either.
   * @returns `stored`: its newest event, 0 without one; `events`: how many of the projection's follow; `last`: the session's newest
   */
  newerThanStored<S>(
    projection: Projection<S>,
    session: string,
  ): { stored: number; events: number; last: number } {
    const gatherer = this.#gatherer();
    const [stored = 0] = this.#store?.list(projection, session) ?? [];
    // The state for removed events covers later ones.
    let last =
      stored > (gatherer.bases.dropped()?.upto ?? 0) ? stored : this.at(projection, session).seq;
    let events = 0;
    const range = { from: stored + 1, isLazy: true };
    for (const { seq, type } of gatherer.eventsOf(projection, session, range)) {
      if (projection.types.includes(type)) events += 1;
      last = Math.max(last, seq);
    }
    return { stored, events, last };
  }

  boundsOf(session: string): Bounds {
    return this.#gatherer().boundsOf(session);
  }

  activeSession(upto = Number.MAX_SAFE_INTEGER): string | null | undefined {
    return this.#gatherer().activeSession(upto);
  }

  /** A session's facts of these types in history order. */
  facts(session: string, types: readonly string[], cut: Cut = {}): Placed[] {
    const history = new SessionHistory();
    const kind = { scope: 'session' as const, types };
    for (const event of this.#gatherer().eventsOf(kind, session, { to: cut.upto }))
      history.add(event);
    return [...upTo(cut.before, history.ordered())];
  }
}
