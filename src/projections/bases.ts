import { hasShape } from '../events/shape.ts';
import type { JournalBased, JournalEvent, Text } from '../events/types.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import { ArrivalHistory } from './arrival-history.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { Projection } from './contract.ts';
import { DROPPING_TYPE, type Dropped, dropIn, type LostStates } from './dropped.ts';
import type { Drops } from './drops.ts';
import { readEvents } from './events.ts';
import { foldAll } from './folding.ts';
import type { SessionBounds } from './session-bounds.ts';
import { isObject } from './tools-text.ts';

const BASED_TYPE = 'journal.based';

/** The states in `journal.based` events, which stand in for removed events: folds start from them. */
export class Bases {
  readonly #reader: JournalReader;
  readonly #xxh64: Hash64;
  readonly #bounds: SessionBounds | undefined;
  readonly #drops: Drops | undefined;

  /** @param bounds and @param drops may be undefined; then every call searches the journal */
  constructor(
    reader: JournalReader,
    xxh64: Hash64,
    bounds: SessionBounds | undefined,
    drops: Drops | undefined,
  ) {
    this.#reader = reader;
    this.#xxh64 = xxh64;
    this.#bounds = bounds;
    this.#drops = drops;
  }

  dropped(): Dropped | undefined {
    if (this.#drops !== undefined) return this.#drops.newest();
    let newest: Dropped | undefined;
    const types = [DROPPING_TYPE];
    for (const event of readEvents(this.#reader, this.#xxh64, { types }))
      newest = dropIn(event) ?? newest;
    return newest;
  }

  /**
   * Undefined when none of its events was removed.
   * @throws Ben10Error DESERIALIZE_FAILED when a newer ben10 wrote it
   */
  of<S>(projection: Projection<S>, session: string | null): Checkpoint<S> | undefined {
    for (const { event, base } of this.#all(session)) {
      if (event.session !== session) continue;
      if (base.projection === projection.name) return this.#checkpoint(projection, event, base);
    }
    return undefined;
  }

  /** How many of these events cannot be read; undefined when all can. */
  lost(): LostStates | undefined {
    const dropped = this.dropped();
    if (dropped === undefined) return undefined;
    const { upto, bases } = dropped;
    const of = bases[1] - bases[0] + 1;
    let lost = of;
    for (const _ of this.#all()) lost -= 1;
    return lost > 0 ? { upto, lost, of } : undefined;
  }

  /** The same for one projection, whose state may lack what the lost events held. */
  lostTo(projection: Projection, session: string | null): LostStates | undefined {
    for (const { event, base } of this.#all(session)) {
      if (event.session !== session || base.projection !== projection.name) continue;
      const { upto } = base;
      return this.#state(projection, event, base) === undefined
        ? { upto, lost: 1, of: 1 }
        : undefined;
    }
    return this.lost();
  }

  /** Sessions that have at least one such state. */
  sessions(): Set<string> {
    return new Set([...this.#all()].flatMap(({ event }) => event.session ?? []));
  }

  /** @throws as `of` */
  bySession<S>(projection: Projection<S>): Map<string, Checkpoint<S>> {
    const found = new Map<string, Checkpoint<S>>();
    for (const { event, base } of this.#all()) {
      if (event.session === null || base.projection !== projection.name) continue;
      found.set(event.session, this.#checkpoint(projection, event, base));
    }
    return found;
  }

  /** The states of all sessions in one pass over the journal. @param projection of scope `session-arrival` */
  allStates<S>(projection: Projection<S>): Map<string, S> {
    const states = new Map<string, S>();
    for (const [session, { state }] of this.bySession(projection)) states.set(session, state);
    const query = { from: (this.dropped()?.upto ?? 0) + 1, types: projection.types };
    for (const event of readEvents(this.#reader, this.#xxh64, query)) {
      if (event.session === null) continue;
      const history = new ArrivalHistory();
      history.add(event);
      const state = states.get(event.session) ?? projection.initial();
      states.set(event.session, foldAll(projection, state, history.ordered()));
    }
    return states;
  }

  /** The journal has the project's states first, then each session's next to each other. */
  *#all(session?: string | null): Generator<{ event: JournalEvent; base: JournalBased }> {
    const dropped = this.dropped();
    if (dropped === undefined) return;
    const [first, to] = dropped.bases;
    const known = typeof session === 'string' ? this.#bounds?.of(session).first : undefined;
    const from = Math.max(first, known ?? first);
    let isThere = false;
    for (const event of readEvents(this.#reader, this.#xxh64, { from, to })) {
      const isOurs = session === undefined || event.session === session;
      if (!isOurs && isThere) return;
      if (!isOurs || event.type !== BASED_TYPE || !hasShape(event)) continue;
      isThere = true;
      yield { event, base: event.data as JournalBased };
    }
  }

  /** An unreadable state counts as empty: newer events are folded all the same. */
  #checkpoint<S>(
    projection: Projection<S>,
    event: JournalEvent,
    base: JournalBased,
  ): Checkpoint<S> {
    return {
      state: this.#state(projection, event, base) ?? projection.initial(),
      frontier: { ...base.frontier, last: base.upto },
    };
  }

  #state<S>(
    projection: Projection<S>,
    { seq }: JournalEvent,
    { version, state }: JournalBased,
  ): S | undefined {
    const { name, version: own } = projection;
    if (version > own) throw newer(name, version, own, seq);
    return version === own ? (this.#parsed(state) as S | undefined) : undefined;
  }

  #parsed(text: Text): unknown {
    const json = typeof text === 'string' ? text : this.#reader.blob(text.$blob)?.toString('utf8');
    if (json === undefined) return undefined;
    try {
      const state: unknown = JSON.parse(json);
      return isObject(state) ? state : undefined;
    } catch {
      return undefined;
    }
  }
}

const newer = (name: string, version: number, own: number, seq: number): Ben10Error =>
  new Ben10Error(
    'DESERIALIZE_FAILED',
    `the state of "${name}" that stands for dropped events is of version ${version}; this ben10 reads up to version ${own}`,
    { place: { seq }, next: 'Use a newer ben10.' },
  );
