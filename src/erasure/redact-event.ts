import { HEAD_CHARS } from '../capture/payload.ts';
import { getBlob } from '../journal/append/blobs.ts';
import { decodeEnvelope, type Envelope } from '../journal/format/envelope.ts';
import type { Project } from '../project/open.ts';
import { ERASED } from '../projections/safe-text.ts';
import { basedIn, basedWithoutIt, innerOf, withInner } from './based.ts';
import type { Finder } from './finder.ts';
import { isOwnType, isOwnWitness } from './own-names.ts';
import type { Fate } from './search.ts';

/** Reads each blob once, and writes those whose text changes. */
export interface Blobs {
  /** A blob's text; undefined if it is missing or damaged. */
  read(name: string): string | undefined;
  /** Stores a text and returns its name. */
  write(text: string): string;
}

/** For callers that examine blobs in another way. */
export const NO_BLOBS: Blobs = { read: () => undefined, write: () => '' };

/** Remembers the last one: an event often names a blob twice. */
export function blobReader({
  ports,
  layout,
  decoders,
}: Pick<Project, 'ports' | 'layout' | 'decoders'>): Blobs['read'] {
  let last: { name: string; text: string | undefined } | undefined;
  return (name) => {
    if (last?.name !== name) {
      last = { name, text: getBlob(ports, layout, name, decoders)?.toString('utf8') };
    }
    return last.text;
  };
}

/** What becomes of an event that may hold it. */
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

/** The same envelope if it has none. */
function withoutIt(envelope: Envelope, finder: Finder, blobs: Blobs): Envelope | 'goes' {
  if (isInHead(envelope, finder)) return 'goes';
  // The inner event has names of its own.
  const inner = innerOf(envelope);
  if (inner !== envelope) {
    const left = withoutIt(inner, finder, blobs);
    if (left === 'goes') return left;
    return left === inner ? envelope : withInner(envelope, left);
  }
  const data = dataWithoutIt(envelope, finder, blobs);
  if (Object.is(data, envelope.data)) return envelope;
  // What still matches afterwards cannot be separated.
  const left = { ...envelope, data };
  return Object.is(dataWithoutIt(left, finder, NO_BLOBS), data) ? left : 'goes';
}

/** A handoff's quotes are cut: a part of it, in any encoding, may stand where no search finds it. */
const NO_QUOTES = { sha256: '', text: ERASED, claims: [], nextSteps: [] };

function dataWithoutIt(envelope: Envelope, finder: Finder, blobs: Blobs): unknown {
  const based = basedIn(envelope);
  if (based !== undefined) return basedWithoutIt(based, finder, blobs);
  const data = finder.dataWithoutIt(withoutBlobs(envelope.data, finder, blobs));
  const isQuoting = envelope.type === 'handoff.created' && !Object.is(data, envelope.data);
  return isQuoting ? { ...(data as object), ...NO_QUOTES } : data;
}

/** In a name by which events are found: changing it would make another event. ben10's own names hold nothing. */
function isInHead({ type, session, agent, client, source }: Envelope, finder: Finder): boolean {
  const names = [session, agent, ...[type, client, source].filter((name) => !isOwnName(name))];
  return names.some((name) => name !== null && finder.withoutIt(name) !== name);
}

const isOwnName = (name: string | null): boolean =>
  name !== null && (isOwnType(name) || isOwnWitness(name));

/** References to blobs that hold it become references to cleaned blobs. The format limits the depth. */
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
