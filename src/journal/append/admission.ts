import type { Decoders } from '../../platform/codecs/codecs.ts';
import { erasedIds } from '../erase/erased-ids.ts';
import { decodeEnvelope, encodeEnvelope, typeTag } from '../format/envelope.ts';
import type { Layout } from '../format/layout.ts';
import { readManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { JournalReader } from '../read/reader.ts';
import { type Admit, admitAll } from './drain.ts';
import type { NewEvent } from './inbox.ts';

/** The only type of other layers that the journal knows: a second witness adds `more` content to the event `of`. */
const ENRICHED_TYPE = 'fact.enriched';

/** @param erased seqs of erased events by their ids (hex) */
export function admitting(
  { xxh64 }: Pick<JournalPorts, 'xxh64'>,
  erased: ReadonlyMap<string, number>,
): Admit {
  if (erased.size === 0) return admitAll;
  const enriched = typeTag(ENRICHED_TYPE, xxh64);
  return (event) => {
    if (erased.has(event.id.toString('hex'))) return undefined;
    return event.typeTag === enriched ? bare(event, erased) : event;
  };
}

/** A second witness may say where an erased event stood, but not what was in it. */
function bare(event: NewEvent, erased: ReadonlyMap<string, number>): NewEvent {
  const envelope = decodeEnvelope(event.payload);
  const { more, ...data } = envelope.data as { of: string; more?: unknown };
  if (more === undefined || !erased.has(data.of)) return event;
  const left = { ...envelope, data };
  return { ...event, payload: encodeEnvelope(left), envelope: left, putAgain: undefined };
}

/** The same for a journal: from its tombstones if the file of erased ids is missing. */
export function admissionOf(ports: JournalPorts, layout: Layout, decoders: Decoders): Admit {
  const { erasureEpoch = 0 } = readManifest(ports, layout) ?? {};
  if (erasureEpoch === 0) return admitAll;
  const reader = new JournalReader(ports, layout.root, decoders);
  return admitting(ports, erasedIds(ports, layout, reader, erasureEpoch));
}
