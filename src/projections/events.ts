import { headOf, lazyEvent, wholeEvent } from '../events/decode.ts';
import type { JournalEvent } from '../events/types.ts';
import { typeTag } from '../journal/format/envelope.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { oneRoom } from '../journal/read/room.ts';
import type { Hash64 } from '../platform/xxh64.ts';

export interface EventQuery {
  from?: number | undefined;
  to?: number | undefined;
  /** Only these types; other events are not decoded. */
  types?: readonly string[];
  session?: string | null;
  /** Receives the seq of every event that was passed, matching or not. */
  passed?: { seq: number };
  /** Data is decoded when asked for, and valid until the next event. */
  isLazy?: boolean;
}

/** The matching events in order; damaged ones are skipped (`ben10 verify` reports them). */
export function* readEvents(
  reader: JournalReader,
  xxh64: Hash64,
  query: EventQuery,
): Generator<JournalEvent> {
  if (query.to !== undefined && query.to < (query.from ?? 1)) return;
  const tags = query.types && new Set(query.types.map((type) => typeTag(type, xxh64)));
  const types = query.types && new Set(query.types);
  const { passed } = query;
  // Decoded events keep no reference to the batch.
  for (const batch of reader.batches(query.from, query.to, oneRoom())) {
    for (const { entry } of batch) {
      if (entry === undefined) continue;
      if (passed !== undefined) passed.seq = entry.seq;
      if (tags !== undefined && !tags.has(entry.typeTag)) continue;
      const head = headOf(entry);
      if (head === undefined || (types !== undefined && !types.has(head.type))) continue;
      if (query.session !== undefined && head.session !== query.session) continue;
      yield query.isLazy === true ? lazyEvent(entry, head) : wholeEvent(entry, head);
    }
  }
}
