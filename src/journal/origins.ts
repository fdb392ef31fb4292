import { furthestOrigin, type Layout, listOrigin, type SegmentFile } from './layout.ts';
import { readManifest } from './manifest.ts';
import type { ReaderPorts } from './ports.ts';

/**
 * The origin that this clone appends to, whose seqs are the journal's: the manifest's, and without one the
 * folder that reached furthest. Folders of other origins are verified but not read: their seqs are their own.
 */
export function ownOrigin(ports: ReaderPorts, layout: Layout): string | undefined {
  return readManifest(ports, layout)?.origin ?? furthestOrigin(ports.fs, layout);
}

/** Segments of the own origin, in rising order of first seq. */
export function ownSegments(ports: ReaderPorts, layout: Layout): SegmentFile[] {
  const origin = ownOrigin(ports, layout);
  return origin === undefined ? [] : listOrigin(ports.fs, layout, origin);
}
