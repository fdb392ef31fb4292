import { decodeEnvelope } from './envelope.ts';

/** The key of a reference: see "Blobs" in the format's specification. */
const KEY = '$blob';
const NAME = /^[0-9a-f]{64}$/;

/** Names of the blobs that an event's data refers to; those without a name, of which only the head was kept, left out. */
export function blobReferences(payload: Buffer): string[] {
  // Hardly any event has one, and to look for the key is much cheaper than to decode.
  if (!payload.includes(KEY)) return [];
  try {
    return blobReferencesOf(decodeEnvelope(payload).data);
  } catch {
    return []; // no envelope: told elsewhere
  }
}

/** The same of an event's data. */
export function blobReferencesOf(data: unknown): string[] {
  const names: string[] = [];
  collect(data, names);
  return names;
}

/**
 * Tells which stretches of a segment's bytes can hold a reference, asked for one behind the other: all of them are searched at once,
 * since a search in each event takes four times as long.
 */
export function blobReferencesIn(bytes: Buffer): (from: number, to: number) => boolean {
  let at = bytes.indexOf(KEY);
  return (from, to) => {
    if (at !== -1 && at < from) at = bytes.indexOf(KEY, from);
    return at !== -1 && at < to;
  };
}

/** The depth is the format's, which decoding has checked. */
function collect(value: unknown, names: string[]): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  const { [KEY]: name, bytes, head } = value as Record<string, unknown>;
  const isReference = typeof bytes === 'number' && typeof head === 'string';
  if (isReference && typeof name === 'string' && NAME.test(name)) names.push(name);
  for (const field of Object.values(value)) collect(field, names);
}
