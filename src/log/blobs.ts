import { getBlob } from '../journal/blobs.ts';
import type { Project } from '../project/open.ts';

/** What stands in an event for a text that is kept beside the journal. */
interface Reference {
  $blob: string;
  head?: unknown;
}

/**
 * Data with the texts that were too large for their event put back. One that is missing or damaged keeps its
 * reference, with `missing: true`.
 */
export function withBlobs(project: Project, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withBlobs(project, item));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (isReference(value)) {
    const { ports, layout, decoders } = project;
    const bytes = getBlob(ports, layout, value.$blob, decoders);
    return bytes === undefined ? { ...value, missing: true } : bytes.toString('utf8');
  }
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, field]) => [key, withBlobs(project, field)]));
}

const isReference = (value: object): value is Reference =>
  typeof (value as { $blob?: unknown }).$blob === 'string';
