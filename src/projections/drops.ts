import type { JournalReader } from '../journal/read/reader.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import type { CheckpointStore } from './checkpoints.ts';
import { DROPPING_TYPE, type Dropped, dropIn } from './dropped.ts';
import { readEvents } from './events.ts';
import { wholeFrontier } from './frontier.ts';
import type { SessionBounds } from './session-bounds.ts';

const STORED = { name: 'drops', version: 1, keyframes: false };
/** Stored when so many events were added. */
const STORE_EVENTS = 100;

/** The newest drop of old events, stored by itself: every fold asks for it, and few need the index over all sessions. */
export class Drops {
  readonly #reader: JournalReader;
  readonly #xxh64: Hash64;
  readonly #store: CheckpointStore;
  readonly #index: SessionBounds;
  #newest: Dropped | undefined;
  /** The newest event that was looked at; undefined before the first look. */
  #seq: number | undefined;
  #stored = 0;

  /** @param index knows of drops as well, where nothing is stored here yet */
  constructor(reader: JournalReader, xxh64: Hash64, store: CheckpointStore, index: SessionBounds) {
    this.#reader = reader;
    this.#xxh64 = xxh64;
    this.#store = store;
    this.#index = index;
  }

  /** As of the journal's newest event of now; undefined when there was none. */
  newest(): Dropped | undefined {
    const { refused } = this.#reader;
    const passed = { seq: this.#seq ?? this.#load() ?? this.#fromIndex() };
    const query = { from: passed.seq + 1, types: [DROPPING_TYPE], passed };
    let newest = this.#newest;
    for (const event of readEvents(this.#reader, this.#xxh64, query))
      newest = dropIn(event) ?? newest;
    // What a failing disk did not give is looked for again.
    if (this.#reader.refused !== refused) return newest;
    this.#newest = newest;
    this.#seq = passed.seq;
    if (this.#seq - this.#stored >= STORE_EVENTS) this.#save(this.#seq);
    return this.#newest;
  }

  /** Whether there are at most so many events from `seq` on, as far as the last call of `newest` saw. */
  isNear(seq: number, events: number): boolean {
    return this.#seq !== undefined && this.#seq - seq < events;
  }

  #load(): number | undefined {
    for (const seq of this.#store.list(STORED, null)) {
      const found = this.#store.load<{ dropped: Dropped | null }>(STORED, null, seq);
      if (found === undefined) continue;
      this.#newest = found.state.dropped ?? undefined;
      this.#stored = seq;
      return seq;
    }
    return undefined;
  }

  #fromIndex(): number {
    const { dropped, seq } = this.#index.droppedUpto();
    this.#newest = dropped;
    return seq;
  }

  #save(seq: number): void {
    this.#stored = seq;
    const state = { dropped: this.#newest ?? null };
    this.#store.tryToSave(STORED, null, state, wholeFrontier(seq, null));
  }
}
