import { decodeEvent } from '../events/decode.ts';
import { hasShape } from '../events/shape.ts';
import type { EventSuperseded, JournalEvent } from '../events/types.ts';
import { SUPERSEDED_TYPE } from '../journal/erase/events.ts';
import type { Envelope } from '../journal/format/envelope.ts';
import { allSegments } from '../journal/read/all-entries.ts';
import type { Project } from '../project/open.ts';
import type { FoundEvent } from './found.ts';

/** What an event says, or what stands for an erased one does. */
export interface Told {
  seq: number;
  envelope: Envelope;
  /** The envelope itself, or the one that stands for another. */
  inner: Envelope;
}

/** Undefined when it is not what its type says. */
export function toldBy(seq: number, envelope: Envelope): Told | undefined {
  if (!hasShape(envelope)) return undefined;
  if (envelope.type !== SUPERSEDED_TYPE) return { seq, envelope, inner: envelope };
  const inner = (envelope.data as EventSuperseded).event;
  return hasShape(inner) ? { seq, envelope, inner } : undefined;
}

/** Of what it stands for, where an event stands for another. */
export function innerEventOf(event: JournalEvent): JournalEvent | Envelope {
  const isNested = event.type === SUPERSEDED_TYPE && hasShape(event);
  return isNested ? (event.data as EventSuperseded).event : event;
}

/** All events of one origin that can be read, and their bytes. */
export function* ownEvents(
  { ports, layout, decoders }: Pick<Project, 'ports' | 'layout' | 'decoders'>,
  origin: string,
): Generator<{ seq: number; event: JournalEvent; payload: Buffer }> {
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    if (file.origin !== origin) continue;
    for (const entry of entries) {
      const event = decodeEvent(entry);
      if (event === undefined) continue;
      yield { seq: entry.seq, event, payload: entry.payload };
    }
  }
}

/** The same that says something else; undefined where that is what it says. */
export function retold(
  origin: string,
  { seq, envelope, inner }: Told,
  data: unknown,
): FoundEvent | undefined {
  if (JSON.stringify(data) === JSON.stringify(inner.data)) return undefined;
  const event = { ...inner, data };
  const isNested = inner !== envelope;
  const outer = isNested ? { ...(envelope.data as EventSuperseded), event } : data;
  const { type, at } = envelope;
  return { origin, seq, type, at, isDigest: true, replacement: { ...envelope, data: outer } };
}
