import type { Decoders } from '../../platform/codecs/codecs.ts';
import { readdirIfThere, removeIfThere } from '../../platform/files.ts';
import { type Layout, originDir, type SegmentFile, segmentPath } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { openSegment } from '../read/open.ts';
import { wholeOf } from '../read/whole.ts';

/** A temporary file this old belongs to nobody any more. */
export const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/**
 * Removes leftovers of crashes: old temporary files, and raw segments whose sealed form is sound.
 * @param files the own origin's segments @returns how many files went
 */
export function sweep(
  ports: JournalPorts,
  layout: Layout,
  files: readonly SegmentFile[],
  decoders: Decoders,
): number {
  let removed = 0;
  const origins = new Set(files.map((file) => originDir(layout, file.origin)));
  for (const dir of [layout.journal, layout.inbox, ...origins]) {
    for (const name of readdirIfThere(ports.fs, dir)) {
      const path = `${dir}/${name}`;
      if (name.endsWith('.tmp') && isOld(ports, path) && removeIfThere(ports.fs, path))
        removed += 1;
    }
  }
  for (const file of files) {
    const twin = segmentPath(layout, file.origin, file.firstSeq, false);
    if (!file.sealed || ports.fs.statIfThere(twin) === undefined) continue;
    if (!isSound(ports, file, decoders)) continue;
    // One that says it is another segment may be all that there is of that one.
    if (openSegment(ports, { ...file, path: twin, sealed: false })?.header === undefined) continue;
    // Its compaction may have died between the rename and the folder's sync.
    ports.fs.syncDir(originDir(layout, file.origin));
    if (removeIfThere(ports.fs, twin)) removed += 1;
  }
  return removed;
}

function isOld(ports: JournalPorts, path: string): boolean {
  const stat = ports.fs.statIfThere(path); // it may have got its name meanwhile
  return stat !== undefined && ports.clock.now() - stat.mtimeMs > LEFTOVER_AGE_MS;
}

/** A raw segment is the only good copy when its sealed form went bad. */
function isSound(ports: JournalPorts, file: SegmentFile, decoders: Decoders): boolean {
  const segment = openSegment(ports, file);
  return segment !== undefined && wholeOf(segment, decoders) !== undefined;
}
