import { headOf, lazyEvent, wholeEvent } from '../events/decode.ts';
import type { JournalEvent } from '../events/types.ts';
import { typeTag } from '../journal/format/envelope.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { oneRoom } from '../journal/read/room.ts';
import type { Hash64 } from '../platform/xxh64.ts';

export interface EventQuery {
  from?: number | undefined;
  to?: number | undefined;
  /** Only these types; the bodies of all others are not even looked at. */
  types?: readonly string[];
  session?: string | null;
  /** Told of the newest event that was passed, whether it matches or not. */
  passed?: { seq: number };
  /** For who asks for few events' data: it is there until the next event is asked for. */
  isLazy?: boolean;
}

/** The events of a journal that match, rising; damage is passed by (`ben10 verify` reports it). */
export function* readEvents(
  reader: JournalReader,
  xxh64: Hash64,
  query: EventQuery,
): Generator<JournalEvent> {
  if (query.to !== undefined && query.to < (query.from ?? 1)) return;
  const tags = query.types && new Set(query.types.map((type) => typeTag(type, xxh64)));
  const types = query.types && new Set(query.types);
  const { passed } = query;
  // What is given is decoded, and holds nothing of it.
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
