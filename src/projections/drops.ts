import type { JournalReader } from '../journal/read/reader.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import type { CheckpointStore } from './checkpoints.ts';
import { DROPPING_TYPE, type Dropped, dropIn } from './dropped.ts';
import { readEvents } from './events.ts';
import { wholeFrontier } from './frontier.ts';
import type { SessionBounds } from './session-bounds.ts';

const STORED = { name: 'drops', version: 1, keyframes: false };
const STORE_EVENTS = 100;

/** The newest removal by retention. Every fold asks for it, and few need the large index of sessions, so it is stored by itself. */
export class Drops {
  readonly #reader: JournalReader;
  readonly #xxh64: Hash64;
  readonly #store: CheckpointStore;
  readonly #index: SessionBounds;
  #newest: Dropped | undefined;
  /** Newest event that was read; undefined before the first call. */
  #seq: number | undefined;
  #stored = 0;

  /** @param index also knows removals, in case nothing is stored here yet */
  constructor(reader: JournalReader, xxh64: Hash64, store: CheckpointStore, index: SessionBounds) {
    this.#reader = reader;
    this.#xxh64 = xxh64;
    this.#store = store;
    this.#index = index;
  }

  /** Up to the journal's newest event; undefined when there was none. */
  newest(): Dropped | undefined {
    const { refused } = this.#reader;
    const passed = { seq: this.#seq ?? this.#load() ?? this.#fromIndex() };
    const query = { from: passed.seq + 1, types: [DROPPING_TYPE], passed };
    let newest = this.#newest;
    for (const event of readEvents(this.#reader, this.#xxh64, query))
      newest = dropIn(event) ?? newest;
    // A failing disk withheld something: read it again next time.
    if (this.#reader.refused !== refused) return newest;
    this.#newest = newest;
    this.#seq = passed.seq;
    if (this.#seq - this.#stored >= STORE_EVENTS) this.#save(this.#seq);
    return this.#newest;
  }

  /** Whether fewer than `events` events follow `seq`, as of the last call of `newest`. */
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
