import type { NewEvent } from '../journal/append/inbox.ts';
import { encodeEnvelope, typeTag } from '../journal/format/envelope.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import type { EventData, EventType, Source } from './types.ts';
import { WRITTEN } from './written.ts';

/** What a caller wants to append. */
export interface Draft<T extends EventType = EventType> {
  id: Buffer;
  type: T;
  session: string | null;
  agent: string | null;
  client: string | null;
  source: Source;
  at: number | null;
  data: EventData[T];
}

export function encodeEvent(draft: Draft, xxh64: Hash64): NewEvent {
  const [version, durability] = WRITTEN[draft.type];
  const { id, type, session, agent, client, source, at, data } = draft;
  // A time that is no whole number from 0 on counts as not given.
  const whole = at !== null && at >= 0 && at <= Number.MAX_SAFE_INTEGER ? Math.trunc(at) : null;
  const envelope = { type, version, session, agent, client, source, at: whole, data };
  const payload = encodeEnvelope(envelope);
  return { id, typeTag: tagOf(type, xxh64), payload, durability, envelope };
}

const tags = new Map<EventType, number>();

/** Cached: there are few types and thousands of events. */
function tagOf(type: EventType, xxh64: Hash64): number {
  const tag = tags.get(type) ?? typeTag(type, xxh64);
  tags.set(type, tag);
  return tag;
}
