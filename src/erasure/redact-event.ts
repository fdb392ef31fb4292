import { HEAD_CHARS } from '../capture/payload.ts';
import { getBlob } from '../journal/blobs.ts';
import { decodeEnvelope, type Envelope } from '../journal/envelope.ts';
import type { Project } from '../project/open.ts';
import type { Finder } from './finder.ts';

/** What becomes of one event: it stays, it is replaced, or all of it goes. */
export type Fate = 'stays' | 'goes' | { replacement: Envelope };

/** Texts beside the journal: read once each, written when what is in them has to be kept without the secret. */
export interface Blobs {
  /** The text of a blob; undefined when it is missing or damaged. */
  read(name: string): string | undefined;
  /** Keeps a text and returns its name. */
  write(text: string): string;
}

/** The last one is remembered: an event often names one twice. */
export function blobReader({ ports, layout, decoders }: Project): Blobs['read'] {
  let last: { name: string; text: string | undefined } | undefined;
  return (name) => {
    if (last?.name !== name) {
      last = { name, text: getBlob(ports, layout, name, decoders)?.toString('utf8') };
    }
    return last.text;
  };
}

/** What has to become of an event that may hold what is looked for. */
export function fateOf(payload: Buffer, finder: Finder, blobs: Blobs): Fate {
  let envelope: Envelope;
  try {
    envelope = decodeEnvelope(payload);
  } catch {
    return finder.isIn(payload) ? 'goes' : 'stays'; // no envelope: nothing in it can be kept apart
  }
  const kept = withoutBlobs(envelope.data, finder, blobs, 0);
  const data = finder.dataWithoutIt(kept);
  if (isInHead(envelope, finder)) return 'goes';
  if (Object.is(data, envelope.data)) return 'stays';
  // What is found again in what was to be kept cannot be kept apart.
  return Object.is(finder.dataWithoutIt(data), data)
    ? { replacement: { ...envelope, data } }
    : 'goes';
}

/** In a name by which events are found: to change that would make it another event. */
const isInHead = ({ type, session, agent, client, source }: Envelope, finder: Finder): boolean =>
  [type, session, agent, client, source].some(
    (name) => name !== null && finder.withoutIt(name) !== name,
  );

/** References to blobs that hold it become references to blobs that do not. Deep as an event's data is at most. */
function withoutBlobs(value: unknown, finder: Finder, blobs: Blobs, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const { $blob: name } = value as { $blob?: unknown };
  if (typeof name === 'string' && name !== '') return newReference(value, name, finder, blobs);
  const inner = (one: unknown) => withoutBlobs(one, finder, blobs, depth + 1);
  if (Array.isArray(value)) {
    const list = value.map(inner);
    return list.every((one, index) => Object.is(one, value[index])) ? value : list;
  }
  const fields = Object.entries(value).map(([key, one]) => [key, inner(one)] as const);
  const isSame = fields.every(([key, one]) =>
    Object.is(one, (value as Record<string, unknown>)[key]),
  );
  return isSame ? value : Object.fromEntries(fields);
}

function newReference(value: object, name: string, finder: Finder, blobs: Blobs): unknown {
  const text = blobs.read(name);
  if (text === undefined) return value;
  const kept = finder.withoutIt(text);
  if (kept === text) return value;
  const bytes = Buffer.byteLength(kept);
  return { $blob: blobs.write(kept), bytes, head: kept.slice(0, HEAD_CHARS).toWellFormed() };
}
