import type { JournalBased, JournalEvent } from '../events/types.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import type { CheckpointStore } from './checkpoints.ts';
import { DROPPING_TYPE, type Dropped, dropIn } from './dropped.ts';
import { readEvents } from './events.ts';
import { wholeFrontier } from './frontier.ts';
import { LastActive, type StoredActivity } from './last-active.ts';
import { type Bounds, SessionTable, type StoredTable } from './session-table.ts';

interface StoredIndex {
  sessions: StoredTable;
  /** Some sessions were dropped: an unknown one may be old. */
  forgot: boolean;
  active: StoredActivity;
  dropped: Dropped | null;
}

const STORED = { name: 'session-bounds', version: 4, keyframes: false, hasBytes: true };
export const SESSIONS_MAX = 20_000;
const STORE_EVENTS = 100;
/** The same during the first pass, so that it can continue after an interruption. */
const STORE_EVENTS_WITHIN = 20_000;

const STEP_EVENTS = 64;

/** Of a session whose events were removed, only its context tells when it was active. */
const isOfAnother = (event: JournalEvent): boolean =>
  event.type === 'journal.based' && (event.data as Partial<JournalBased>).projection !== 'context';

/** Where in the journal each session's events are, so that reading one session skips the others. */
export class SessionBounds {
  readonly #reader: JournalReader;
  readonly #xxh64: Hash64;
  readonly #store: CheckpointStore;
  readonly #onPart: (() => void) | undefined;
  #sessions = new SessionTable();
  #active = new LastActive();
  #forgot = false;
  #dropped: Dropped | undefined;
  /** The newest event in the index, and in the stored index. */
  #seq = -1;
  #stored = 0;
  /** `JournalReader.refused` at the last update: skipped events must be read again. */
  #refused: number;

  /** @param onPart called after each stored part of a first pass; may throw to stop there */
  constructor(
    reader: JournalReader,
    xxh64: Hash64,
    store: CheckpointStore,
    onPart?: (() => void) | undefined,
  ) {
    this.#reader = reader;
    this.#xxh64 = xxh64;
    this.#store = store;
    this.#onPart = onPart;
    this.#refused = reader.refused;
  }

  /** As of the journal's newest event. */
  of(session: string): Bounds {
    this.#catchUp();
    const found = this.#sessions.find(this.#mark(session));
    return found ?? (this.#forgot ? { first: 1, last: this.#seq } : { first: 0, last: 0 });
  }

  activeAt(upto: number): number | null | undefined {
    this.#catchUp();
    return this.#active.eventAt(upto);
  }

  droppedUpto(): { dropped: Dropped | undefined; seq: number } {
    this.#catchUp();
    return { dropped: this.#dropped, seq: this.#seq };
  }

  #catchUp(): void {
    for (const _ of this.steps());
  }

  /** Reads new events in short steps. */
  *steps(): Generator<void> {
    if (this.#seq === -1 || this.#isRefused) this.#load();
    this.#refused = this.#reader.refused;
    const query = { from: this.#seq + 1, isLazy: true };
    for (const event of readEvents(this.#reader, this.#xxh64, query)) {
      // Another caller took it between two steps.
      if (event.seq <= this.#seq) continue;
      this.#take(event);
      if (event.seq % STEP_EVENTS === 0) yield;
    }
    if (this.#seq - this.#stored >= STORE_EVENTS) this.#save();
  }

  #take(event: JournalEvent): void {
    const { seq, session } = event;
    this.#seq = seq;
    if (event.type === DROPPING_TYPE) this.#dropped = dropIn(event) ?? this.#dropped;
    if (session !== null) {
      const mark = this.#mark(session);
      this.#saw(mark, seq);
      if (!isOfAnother(event)) this.#active.saw(event, mark.toString(36));
    }
    if (seq - this.#stored < STORE_EVENTS_WITHIN) return;
    this.#save();
    this.#onPart?.();
  }

  #saw(mark: bigint, seq: number): void {
    this.#sessions.saw(mark, seq);
    if (this.#sessions.size <= SESSIONS_MAX) return;
    this.#sessions.dropFirst();
    this.#forgot = true;
  }

  get #isRefused(): boolean {
    return this.#reader.refused !== this.#refused;
  }

  #load(): void {
    this.#sessions = new SessionTable();
    this.#active = new LastActive();
    this.#forgot = false;
    this.#dropped = undefined;
    this.#seq = 0;
    this.#stored = 0;
    for (const seq of this.#store.list(STORED, null)) {
      const found = this.#store.load<StoredIndex>(STORED, null, seq);
      if (found === undefined) continue;
      const { sessions, forgot, active, dropped } = found.state;
      this.#sessions = new SessionTable(sessions);
      this.#forgot = forgot;
      this.#active = new LastActive(active);
      this.#dropped = dropped ?? undefined;
      this.#seq = seq;
      this.#stored = seq;
      return;
    }
  }

  #save(): void {
    if (this.#isRefused) return;
    this.#stored = this.#seq;
    const index: StoredIndex = {
      sessions: this.#sessions.stored(),
      forgot: this.#forgot,
      active: this.#active.stored(),
      dropped: this.#dropped ?? null,
    };
    this.#store.tryToSave(STORED, null, index, wholeFrontier(this.#seq, null));
  }

  /** Sessions with equal marks share wider bounds, which is harmless. */
  #mark(session: string): bigint {
    return this.#xxh64(Buffer.from(session), 0n);
  }
}
