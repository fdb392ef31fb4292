import { dirname } from 'node:path';
import type { Decoders } from '../platform/codecs/codecs.ts';
import { removeIfThere } from '../platform/files.ts';
import { allSegments, readSegment } from './all-entries.ts';
import { blobReferences } from './blob-references.ts';
import { blobPath } from './blobs.ts';
import { FRAME_KIND } from './format.ts';
import { type Layout, refuseUnsafe, type SegmentFile } from './layout.ts';
import type { JournalPorts } from './ports.ts';
import { syncFolders } from './sync-folders.ts';

/**
 * Removes the blobs that only events name which are about to go. It comes before they go: afterwards nobody could tell
 * which blobs were theirs, and a name that was noted down would let a guess at the text be checked. Call with the lock
 * held.
 * @param touched the segments that have a target
 * @returns how many were removed
 */
export function eraseBlobsOf(
  ports: JournalPorts,
  layout: Layout,
  decoders: Decoders,
  touched: readonly SegmentFile[],
  isTarget: (origin: string, seq: number) => boolean,
): number {
  const doomed = new Set<string>();
  for (const file of touched) {
    const { entries } = readSegment(ports, file, decoders) ?? { entries: [] };
    for (const { seq, kind, payload } of entries) {
      if (kind !== FRAME_KIND.event || !isTarget(file.origin, seq)) continue;
      for (const name of blobReferences(payload)) doomed.add(name);
    }
  }
  if (doomed.size === 0) return 0;
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    for (const { seq, kind, payload } of entries) {
      if (kind !== FRAME_KIND.event || isTarget(file.origin, seq)) continue;
      for (const name of blobReferences(payload)) doomed.delete(name);
    }
  }
  return removeBlobs(ports, layout, [...doomed]);
}

/**
 * Removes blobs for good. Folders are synced also where nothing was left to remove: who did it may have died before.
 * @param names 64 hex digits each
 * @returns how many were there
 * @throws Ben10Error JOURNAL_UNSAFE where a link stands in the place of a folder
 */
export function removeBlobs(ports: JournalPorts, layout: Layout, names: readonly string[]): number {
  const isReal = (dir: string) => refuseUnsafe(ports.fs, dir) !== undefined;
  if (names.length === 0 || !isReal(layout.blobs)) return 0;
  const ours = names.filter((name) => isReal(dirname(blobPath(layout, name))));
  const removed = ours.filter((name) => removeIfThere(ports.fs, blobPath(layout, name)));
  syncFolders(
    ports,
    names.map((name) => dirname(blobPath(layout, name))),
  );
  return removed.length;
}
