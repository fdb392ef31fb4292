import { getBlob } from '../journal/append/blobs.ts';
import type { Project } from '../project/open.ts';

interface Reference {
  $blob: string;
  head?: unknown;
}

/**
 * Data with texts from blobs put back. A lost one keeps its reference, with `missing: true`.
 * @param missing receives the names of lost ones
 */
export function withBlobs(
  project: Project,
  value: unknown,
  missing: (name: string) => void = () => undefined,
): unknown {
  if (Array.isArray(value)) return value.map((item) => withBlobs(project, item, missing));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (isReference(value)) {
    const { ports, layout, decoders } = project;
    const bytes = getBlob(ports, layout, value.$blob, decoders);
    if (bytes !== undefined) return bytes.toString('utf8');
    missing(value.$blob);
    return { ...value, missing: true };
  }
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, field]) => [key, withBlobs(project, field, missing)]),
  );
}

const isReference = (value: object): value is Reference =>
  typeof (value as { $blob?: unknown }).$blob === 'string';
