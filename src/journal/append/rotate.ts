import { ensureDurableDir, removeIfThere, writeAll } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { readBigU64 } from '../format/bytes.ts';
import type { Hlc } from '../format/hlc.ts';
import { type Layout, originDir, segmentPath } from '../format/layout.ts';
import type { Manifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { encodeSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { type Tail, tailOfEmpty } from './tail.ts';
import { assertSeq } from './write-errors.ts';

/** Where a segment begins. */
interface SegmentStart {
  firstSeq: number;
  /** These two are of the last event before it. */
  hlc: Hlc;
  chain: Buffer;
  /** `SEGMENT_FLAG`s */
  flags: number;
}

/**
 * Opens the next segment: temporary file, sync, rename, sync of the folder. After the rename the segment before it is never
 * written again. Call with the lock held.
 */
export function createSegment(
  ports: JournalPorts,
  layout: Layout,
  manifest: Manifest,
  start: SegmentStart,
): Tail {
  assertSeq(start.firstSeq);
  const salt = Buffer.alloc(8);
  ports.random.fill(salt);
  const header: SegmentHeader = {
    flags: start.flags,
    journalId: Buffer.from(manifest.journalId, 'hex'),
    originId: Buffer.from(manifest.origin, 'hex'),
    firstSeq: start.firstSeq,
    baseHlc: { ms: Math.max(start.hlc.ms + 1, ports.clock.now()), count: 0 },
    prevChain: start.chain,
    salt: readBigU64(salt, 0),
  };
  const dir = originDir(layout, manifest.origin);
  ensureDurableDir(ports.fs, dir, layout.root);
  const path = segmentPath(layout, manifest.origin, start.firstSeq, false);
  const temp = `${path}.${randomHex(ports.random, 6)}.tmp`;
  const fd = ports.fs.open(temp, 'wx');
  let name = temp;
  try {
    writeAll(ports.fs, fd, encodeSegmentHeader(header, ports.xxh64), 0);
    ports.fs.datasync(fd);
    ports.fs.rename(temp, path);
    name = path;
    ports.fs.syncDir(dir);
  } catch (error) {
    // Also when only the folder could not be synced: a power cut might take the file with what is in it.
    ports.fs.close(fd);
    removeIfThere(ports.fs, name);
    throw error;
  }
  return tailOfEmpty(ports, fd, path, header);
}
