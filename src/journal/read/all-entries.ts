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

/** A segment of any origin with all its readable entries. */
export interface ReadSegment {
  file: SegmentFile;
  entries: Entry[];
  /** False if part of it is damaged: it may hold more than can be seen. */
  isWhole: boolean;
}

/**
 * Every segment of every origin, including origins that readers do not read.
 * @throws Ben10Error JOURNAL_FOREIGN, JOURNAL_UNSAFE, FS_PERMISSION_DENIED
 */
export function* allSegments(
  ports: ReaderPorts,
  layout: Layout,
  decoders: Decoders,
): Generator<ReadSegment> {
  for (const origin of listOrigins(ports.fs, layout)) {
    // A link may lead out of the journal: nothing behind it is read or written.
    refuseUnsafe(ports.fs, originDir(layout, origin));
    for (const file of listOrigin(ports.fs, layout, origin)) {
      const read = readSegment(ports, file, decoders);
      if (read !== undefined) yield read;
    }
  }
}

/** Reads the sealed form if the segment was sealed since it was listed; undefined if it is gone. */
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
