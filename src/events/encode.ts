import type { NewEvent } from '../journal/append/inbox.ts';
import type { Durability } from '../journal/format/durability.ts';
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
  const { id, type, session, agent, client, source, at, data } = draft;
  const { version, durability, tag } = formOf(type, xxh64);
  // A time that is no whole number from 0 on counts as not given.
  const whole = at !== null && at >= 0 && at <= Number.MAX_SAFE_INTEGER ? Math.trunc(at) : null;
  const envelope = { type, version, session, agent, client, source, at: whole, data };
  const payload = encodeEnvelope(envelope);
  return { id, typeTag: tag, payload, durability, envelope };
}

interface Form {
  version: number;
  durability: Durability;
  tag: number;
}
const forms = new Map<EventType, Form>();

/** Cached: there are few types and thousands of events. */
function formOf(type: EventType, xxh64: Hash64): Form {
  const known = forms.get(type);
  if (known !== undefined) return known;
  const line = WRITTEN.split('\n').find((one) => one.startsWith(`${type} `))!;
  const [, version, durability] = line.split(' ');
  const tag = typeTag(type, xxh64);
  const form = { version: Number(version), durability: durability as Durability, tag };
  forms.set(type, form);
  return form;
}
