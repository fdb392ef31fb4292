import type { JournalReader } from '../journal/reader.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import { ArrivalHistory } from './arrival-history.ts';
import type { Checkpoint, CheckpointStore } from './checkpoints.ts';
import type { Projection } from './contract.ts';
import type { Dropped, LostStates } from './dropped.ts';
import { readEvents } from './events.ts';
import { type Frontier, wholeFrontier } from './frontier.ts';
import { type Cut, foldAll, Gatherer, type GatherOptions } from './gather.ts';
import { SessionHistory } from './history.ts';
import { comparePlaces, type Placed } from './order.ts';

export interface StateAt<S> {
  state: S;
  /** Of the newest event that the state knows of; 0 when there is none. */
  seq: number;
  /** Its time, milliseconds since the epoch; null when there is none. */
  at: number | null;
  /** How many facts were folded to get here, after the stored state that was used. */
  folded: number;
}

/** A state that stands for events that are going to be dropped. */
export interface Base<S> extends Checkpoint<S> {
  /** Ids of facts that have a seq and are not in the state yet. */
  open: string[];
}

/** A stored state is worth its file when this many events lie between it and the one before. */
const CHECKPOINT_EVENTS = 100;
/** Of a state that rolls by messages: a turn may have many calls and few words, and they take their time to fold, too. */
const EVENTS_PER_MESSAGE = 10;
/** As the configuration has it, messages. */
const CHECKPOINT_INTERVAL = 10;
const MESSAGES = new Set(['prompt.submitted', 'message.recorded']);
/** Newest states that are held, so that one process does not decode them again and again. */
const NEWEST_KEPT = 4;

interface Newest {
  found: StateAt<unknown>;
  /** Up to this event there is nothing that it does not know of. */
  passed: { seq: number };
}

export interface StatesOptions extends GatherOptions {
  /** Messages between two stored states of a projection that rolls. */
  checkpointInterval?: number | undefined;
}

/** States of projections at points of the journal: the newest stored one before the point, and a fold of the rest. */
export class States {
  readonly #reader: JournalReader;
  readonly #xxh64: Hash64;
  readonly #store: CheckpointStore | undefined;
  readonly #options: StatesOptions;
  /** For the journal of the origin `#origin`. */
  #gathererOf: Gatherer;
  #origin: string | undefined;
  readonly #newest = new Map<string, Newest>();

  /** @param store undefined to fold from the very start */
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

  /** A process may outlive its journal: nothing that was remembered of that holds for another one in its place. */
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
   * @param session null for a projection over the whole project
   * @returns to be read only: who asks again while nothing was added is given the same
   */
  at<S>(projection: Projection<S>, session: string | null, cut: Cut = {}): StateAt<S> {
    const gatherer = this.#gatherer();
    if (cut.upto !== undefined || cut.before !== undefined)
      return this.#at(gatherer, projection, session, cut);
    const key = `${projection.name} ${session}`;
    const known = this.#newest.get(key);
    if (known !== undefined) {
      const { refused } = this.#reader;
      const range = { from: known.passed.seq + 1, passed: known.passed };
      const news = gatherer.eventsOf(projection, session, range).next();
      if (news.done && this.#reader.refused === refused) return known.found as StateAt<S>;
    }
    const found = this.#at(gatherer, projection, session, cut);
    this.#newest.delete(key);
    if (gatherer.isWhole) this.#newest.set(key, { found, passed: { seq: found.seq } });
    if (this.#newest.size > NEWEST_KEPT) this.#newest.delete(this.#newest.keys().next().value!);
    return found;
  }

  #at<S>(
    gatherer: Gatherer,
    projection: Projection<S>,
    session: string | null,
    cut: Cut,
  ): StateAt<S> {
    const found = gatherer.gather(projection, session, cut);
    const { ordered, start, last } = found;
    let state = found.state;
    const { before } = cut;
    if (before !== undefined) {
      const placed = ordered.filter((one) => comparePlaces(one.place, before) < 0);
      state = foldAll(projection, state, placed);
      return { state, ...newestOf(placed, start), folded: found.folded + placed.length };
    }
    const settled = found.history.settled(ordered);
    state = foldAll(projection, state, ordered.slice(0, settled.count));
    const events = settled.frontier.seq - (start?.seq ?? 0);
    const isDue =
      gatherer.isWhole && this.#isDue(projection, events, ordered.slice(0, settled.count));
    const isPast = cut.upto !== undefined;
    if (isDue && !(isPast && this.#store?.hasKeyframe(projection, session, settled.frontier.last)))
      this.#store?.tryToSave(projection, session, state, settled.frontier);
    state = foldAll(projection, state, ordered.slice(settled.count));
    return {
      state,
      ...newestOf(ordered, start),
      seq: last,
      folded: found.folded + ordered.length,
    };
  }

  #isDue(
    { rolling }: Pick<Projection, 'rolling'>,
    events: number,
    placed: readonly Placed[],
  ): boolean {
    if (rolling !== true) return events >= CHECKPOINT_EVENTS;
    const { checkpointInterval = CHECKPOINT_INTERVAL } = this.#options;
    if (events >= checkpointInterval * EVENTS_PER_MESSAGE) return true;
    if (events < checkpointInterval) return false;
    return placed.filter(({ fact }) => MESSAGES.has(fact.type)).length >= checkpointInterval;
  }

  /**
   * Stores the newest state, as far as it cannot change any more, however little is new in it.
   * @returns bytes on disk; 0 when it was not stored
   * @throws as `CheckpointStore.save`
   */
  checkpoint<S>(projection: Projection<S>, session: string | null): number {
    const gatherer = this.#gatherer();
    const { ordered, state, history } = gatherer.gather(projection, session, {});
    const { count, frontier } = history.settled(ordered);
    const settled = foldAll(projection, state, ordered.slice(0, count));
    if (!gatherer.isWhole) return 0;
    return this.#store?.save(projection, session, settled, frontier) ?? 0;
  }

  /**
   * The states of every session at once, in one pass over the journal.
   * @param projection of scope `session-arrival`
   */
  bySession<S>(projection: Projection<S>): Map<string, S> {
    const { bases } = this.#gatherer();
    const { types } = projection;
    const states = new Map<string, S>();
    for (const [session, { state }] of bases.bySession(projection)) states.set(session, state);
    const from = (bases.dropped()?.upto ?? 0) + 1;
    for (const event of readEvents(this.#reader, this.#xxh64, { from, types })) {
      if (event.session === null) continue;
      const history = new ArrivalHistory();
      history.add(event);
      const state = states.get(event.session) ?? projection.initial();
      states.set(event.session, foldAll(projection, state, history.ordered()));
    }
    return states;
  }

  /** The newest drop of old events: what was before can not be asked for any more. */
  dropped(): Dropped | undefined {
    return this.#gatherer().bases.dropped();
  }

  /** What stands for a session's dropped events; undefined when none of them was dropped. */
  based<S>(projection: Projection<S>, session: string): Checkpoint<S> | undefined {
    return this.#gatherer().bases.of(projection, session);
  }

  /** As `Bases.lost`; of a projection as `Bases.lostTo`. */
  lost(
    projection?: Pick<Projection, 'name'>,
    session: string | null = null,
  ): LostStates | undefined {
    const { bases } = this.#gatherer();
    return projection === undefined ? bases.lost() : bases.lostTo(projection, session);
  }

  /** Sessions of which old events were dropped. */
  basedSessions(): Set<string> {
    return this.#gatherer().bases.sessions();
  }

  /**
   * The state when `upto` had arrived, to stand for what was dropped.
   * @param goesOn there are later events of it, which may still tell where earlier ones belong: those are left out
   */
  baseAt<S>(
    projection: Projection<S>,
    session: string | null,
    upto: number,
    goesOn: boolean,
  ): Base<S> {
    const gathered = this.#gatherer().gather(projection, session, { upto });
    const { ordered, history, start } = gathered;
    const { count, frontier } = history.settled(ordered);
    if (goesOn) {
      const state = foldAll(projection, gathered.state, ordered.slice(0, count));
      return { state, frontier, open: ordered.slice(count).map(({ fact }) => fact.id) };
    }
    const state = foldAll(projection, gathered.state, ordered);
    const latest = ordered.reduce(
      (last, { place }) => (last && comparePlaces(last, place) > 0 ? last : place),
      start?.place ?? null,
    );
    return { state, frontier: wholeFrontier(upto, latest), open: [] };
  }

  /** As `Gatherer.indexing`: what is asked for then has little left to read. */
  indexing(): Iterable<void> {
    return this.#gatherer().indexing();
  }

  /** As `Gatherer.activeSession`. */
  activeSession(upto = Number.MAX_SAFE_INTEGER): string | null | undefined {
    return this.#gatherer().activeSession(upto);
  }

  /** All facts of a session in history order, of all types given. */
  facts(session: string, types: readonly string[], cut: Cut = {}): Placed[] {
    const history = new SessionHistory();
    const kind = { scope: 'session' as const, types };
    for (const event of this.#gatherer().eventsOf(kind, session, { to: cut.upto }))
      history.add(event);
    const ordered = history.ordered();
    const { before } = cut;
    return before === undefined
      ? ordered
      : ordered.filter((one) => comparePlaces(one.place, before) < 0);
  }
}

function newestOf(
  placed: readonly Placed[],
  start: Frontier | undefined,
): { seq: number; at: number | null } {
  const seq = placed.reduce((max, { fact }) => Math.max(max, fact.seq), start?.seq ?? 0);
  return { seq, at: placed.at(-1)?.fact.at ?? start?.place?.time ?? null };
}
