import { HEAD_CHARS } from '../capture/payload.ts';
import { getBlob } from '../journal/append/blobs.ts';
import { decodeEnvelope, type Envelope } from '../journal/format/envelope.ts';
import type { Project } from '../project/open.ts';
import { basedIn, basedWithoutIt, innerOf, withInner } from './based.ts';
import type { Finder } from './finder.ts';
import { isOwnType, isOwnWitness } from './own-names.ts';
import type { Fate } from './search.ts';

/** Texts beside the journal: read once each, written when what is in them has to be kept without the secret. */
export interface Blobs {
  /** The text of a blob; undefined when it is missing or damaged. */
  read(name: string): string | undefined;
  /** Keeps a text and returns its name. */
  write(text: string): string;
}

/** For who looks into the texts beside the journal in another way. */
export const NO_BLOBS: Blobs = { read: () => undefined, write: () => '' };

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
  const left = withoutIt(envelope, finder, blobs);
  if (left === 'goes') return left;
  return left === envelope ? 'stays' : { replacement: left };
}

/** The very same envelope where it has none of it. */
function withoutIt(envelope: Envelope, finder: Finder, blobs: Blobs): Envelope | 'goes' {
  if (isInHead(envelope, finder)) return 'goes';
  // What stands for an event has that event's own names in it.
  const inner = innerOf(envelope);
  if (inner !== envelope) {
    const left = withoutIt(inner, finder, blobs);
    if (left === 'goes') return left;
    return left === inner ? envelope : withInner(envelope, left);
  }
  const data = dataWithoutIt(envelope, finder, blobs);
  if (Object.is(data, envelope.data)) return envelope;
  // What is found again in what was to be kept cannot be kept apart.
  const left = { ...envelope, data };
  return Object.is(dataWithoutIt(left, finder, NO_BLOBS), data) ? left : 'goes';
}

function dataWithoutIt(envelope: Envelope, finder: Finder, blobs: Blobs): unknown {
  const based = basedIn(envelope);
  if (based !== undefined) return basedWithoutIt(based, finder, blobs);
  return finder.dataWithoutIt(withoutBlobs(envelope.data, finder, blobs));
}

/** In a name by which events are found: to change that would make it another event. Those of ben10 hold nothing. */
function isInHead({ type, session, agent, client, source }: Envelope, finder: Finder): boolean {
  const names = [session, agent, ...[type, client, source].filter((name) => !isOwnName(name))];
  return names.some((name) => name !== null && finder.withoutIt(name) !== name);
}

const isOwnName = (name: string | null): boolean =>
  name !== null && (isOwnType(name) || isOwnWitness(name));

/** References to blobs that hold it become references to blobs that do not. Deep as an event's data is at most. */
function withoutBlobs(value: unknown, finder: Finder, blobs: Blobs): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const { $blob: name } = value as { $blob?: unknown };
  if (typeof name === 'string' && name !== '') return newReference(value, name, finder, blobs);
  const before = Object.entries(value);
  const fields = before.map(([key, one]) => [key, withoutBlobs(one, finder, blobs)] as const);
  if (fields.every(([, one], at) => Object.is(one, before[at]![1]))) return value;
  return Array.isArray(value) ? fields.map(([, one]) => one) : Object.fromEntries(fields);
}

function newReference(value: object, name: string, finder: Finder, blobs: Blobs): unknown {
  const text = blobs.read(name);
  if (text === undefined) return value;
  const kept = finder.withoutIt(text);
  if (kept === text) return value;
  const bytes = Buffer.byteLength(kept);
  return { $blob: blobs.write(kept), bytes, head: kept.slice(0, HEAD_CHARS).toWellFormed() };
}
