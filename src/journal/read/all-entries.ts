import type { Decoders } from '../../platform/codecs/codecs.ts';
import type { Entry } from '../format/frame.ts';
import {
  type Layout,
  listOrigin,
  listOrigins,
  originDir,
  refuseUnsafe,
  type SegmentFile,
} from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { openListed } from './open.ts';

/** A segment of any origin, and all in it that can be read. */
export interface ReadSegment {
  file: SegmentFile;
  entries: Entry[];
  /** False when something of it is damaged: then it may hold what nobody can see. */
  isWhole: boolean;
}

/**
 * Every segment of every origin, also of those that are verified and not read: for what has to look into all of them.
 * @throws Ben10Error JOURNAL_FOREIGN, JOURNAL_UNSAFE, FS_PERMISSION_DENIED
 */
export function* allSegments(
  ports: ReaderPorts,
  layout: Layout,
  decoders: Decoders,
): Generator<ReadSegment> {
  for (const origin of listOrigins(ports.fs, layout)) {
    // What lies behind a link is not ours: nothing there is believed, nor written to.
    refuseUnsafe(ports.fs, originDir(layout, origin));
    for (const file of listOrigin(ports.fs, layout, origin)) {
      const read = readSegment(ports, file, decoders);
      if (read !== undefined) yield read;
    }
  }
}

/** Its sealed form when it was sealed since it was listed; undefined when it is gone. */
export function readSegment(
  ports: ReaderPorts,
  listed: SegmentFile,
  decoders: Decoders,
): ReadSegment | undefined {
  const segment = openListed(ports, listed);
  if (segment === undefined) return undefined;
  const read: ReadSegment = { file: segment.file, entries: [], isWhole: true };
  for (const { entry, damage } of segment.entries(decoders)) {
    if (entry !== undefined) read.entries.push(entry);
    else if (damage !== undefined) read.isWhole = false;
  }
  return read;
}
