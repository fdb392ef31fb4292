import { decodeEnvelope } from './envelope.ts';

/** The key of a reference: see "Blobs" in the format's specification. */
const KEY = '$blob';
const NAME = /^[0-9a-f]{64}$/;

/** Names of the blobs that an event's data refers to. References that kept only the head have no name. */
export function blobReferences(payload: Buffer): string[] {
  // Few events have one, and searching for the key is much cheaper than decoding.
  if (!payload.includes(KEY)) return [];
  const names: string[] = [];
  try {
    collect(decodeEnvelope(payload).data, names);
  } catch {
    // No envelope: reported elsewhere.
  }
  return names;
}

/**
 * Whether a range of a segment's bytes can hold a reference; ask with rising ranges. One search of all bytes takes a quarter
 * of the time of one per event.
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
