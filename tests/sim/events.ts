import type { BlobReference } from '../../src/events/types.ts';
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import type { Durability } from '../../src/journal/format/durability.ts';
import { decodeEnvelope, encodeEnvelope, typeTag } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { JournalReader } from '../../src/journal/read/reader.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { seeded } from '../seeded.ts';
import { SESSION, TYPE } from './tally.ts';

const TAG = typeTag(TYPE, xxh64);
const AT = 1_795_250_100_000;

let counted = 0;

/** Starts the count of events anew: the same workload then makes the same events. */
export function restartEvents(from = 0): void {
  counted = from;
}

const texts = new Map<string, string>();

/** So many characters that nothing compresses well; the same for the same event. */
function textOf(chars: number): string {
  if (chars === 0) return '';
  const key = `${counted} ${chars}`;
  let text = texts.get(key);
  if (text === undefined) {
    const chance = seeded(counted);
    text = Array.from({ length: chars }, () => ((chance() * 36) | 0).toString(36)).join('');
    texts.set(key, text);
  }
  return text;
}

/**
 * An event for simulated journals. Ids differ in few bits: what takes one for another is found out.
 * @param filler so many characters that nothing compresses well
 */
export function newSimEvent(name: string, durability: Durability, filler = 0): NewEvent {
  counted += 1;
  return eventOf(counted, `sim-event-${name}${counted}.`, durability, textOf(filler));
}

/**
 * An event whose text lies beside the journal: as little of it stands in the event as may.
 * @param put puts the text there, and says its name
 */
export function newBesideEvent(name: string, put: (text: string) => string): NewEvent {
  counted += 1;
  const canary = `sim-event-${name}${counted}.`;
  const text = `${canary} ${textOf(600)}`;
  const reference = { $blob: put(text), bytes: text.length, head: canary };
  return eventOf(counted, canary, 'disk', reference);
}

/** What is appended to see whether that still works: always the same, and none of a workload's. */
export const judgesEvent = (): NewEvent => eventOf(0xffff_ffff, 'judge', 'disk', '');

function eventOf(
  number: number,
  name: string,
  durability: Durability,
  text: string | BlobReference,
): NewEvent {
  const id = Buffer.alloc(16);
  id.writeUInt32BE(number, 4);
  const payload = encodeEnvelope({
    type: TYPE,
    version: 1,
    session: SESSION,
    agent: null,
    client: 'sim',
    source: 'tool',
    at: AT + number,
    data: { name, text: typeof text === 'string' ? `${name} ${text}` : text },
  });
  return { id, typeTag: TAG, payload, durability };
}

/** The name that an event was given; its full stop ends it, so that no name is a part of another one. */
export function canaryOf(payload: Buffer): { canary?: string } {
  const { data } = decodeEnvelope(payload);
  const { name } = data as { name?: unknown };
  return typeof name === 'string' && /^sim-event-[a-z]\d+\.$/.test(name) ? { canary: name } : {};
}

/** The first event of a workload that is not a tombstone, wherever it stands: a drain that lost its mark took it in twice. */
export function oldestEvent(reader: JournalReader): { id: string; seqs: number[] } | undefined {
  let oldest: { id: string; seqs: number[] } | undefined;
  for (const { entry } of reader.entries()) {
    if (entry?.kind !== FRAME_KIND.event || entry.typeTag !== TAG) continue;
    const id = entry.id.toString('hex');
    oldest ??= { id, seqs: [] };
    if (id === oldest.id) oldest.seqs.push(entry.seq);
  }
  return oldest;
}
