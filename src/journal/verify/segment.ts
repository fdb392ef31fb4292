import type { Decoders } from '../../platform/codecs/codecs.ts';
import { errno } from '../../platform/errors.ts';
import { LockFile } from '../append/locking.ts';
import { blobReferencesIn } from '../format/blob-references.ts';
import type { Entry, Frame } from '../format/frame.ts';
import { type Layout, type SegmentFile, segmentName } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { isSkipped } from '../format/segment.ts';
import type { HistoryWalk } from '../read/history-walk.ts';
import { misfits } from '../read/misfits.ts';
import { openListed, openSegment, type Segment } from '../read/open.ts';
import type { Room } from '../read/room.ts';
import type { Damage } from '../read/scan.ts';
import type { RecordedLosses } from './gaps.ts';

/** How long to wait for an append to end before a tail is ignored. */
const LOCK_BUDGET_MS = 5000;
/** One origin's history, and the losses that it records. */
export interface Walked {
  walk: HistoryWalk;
  losses: RecordedLosses;
}

/**
 * Verifies one segment of an origin.
 * @param room memory for its bytes, which may be reused afterwards
 * @param isNewest somebody may be appending to it
 */
export function verifySegment(
  ports: JournalPorts,
  layout: Layout,
  walked: Walked,
  listed: SegmentFile,
  isNewest: boolean,
  decoders: Decoders,
  room: Room,
): void {
  const { walk, losses } = walked;
  const found = openListed(ports, listed, room);
  // Gone: the next segment, or the sync hint, tells what is missing.
  if (found === undefined) return;
  const { file } = found;
  // Without locks nobody appends, so the file is judged as it is.
  const isOpen = isNewest && !file.sealed && ports.lock !== undefined;
  const settled = isOpen && hasDamage(found, decoders) ? settle(ports, layout, file) : found;
  const segment = settled === undefined || settled === 'busy' ? found : settled;
  const { bytes, header } = segment;
  walk.enter(segmentName(file));
  walk.begin(file.firstSeq, header);
  if (isSkipped(header)) {
    walk.skip();
    return;
  }
  const lost = (damage: Damage): void => {
    if (settled === 'busy' && segment.mayBeInFlight(damage)) return;
    // Only the next segment tells how much is lost at the end of this one.
    walk.lost(damage, damage.firstSeq !== null && damage.lastSeq === null);
  };
  const before = walk.damage.length;
  const entries: Entry[] = [];
  const refers = blobReferencesIn(bytes);
  for (const { entry, damage, chunk } of segment.entries(decoders)) {
    if (chunk !== undefined) walk.chunkEnd(chunk);
    else if (damage !== undefined) lost(sized(ports, file, damage));
    else {
      if (file.sealed) {
        walk.entry(entry);
        entries.push(entry);
      } else {
        const frame = entry as Frame;
        walk.frame(frame, refers(frame.offset, frame.offset + frame.bytes));
      }
      losses.note(entry);
    }
  }
  if (!file.sealed || walk.damage.length > before) return;
  for (const place of misfits(ports, bytes, segment.sealed, entries))
    walk.lost({ kind: 'index', ...place, firstSeq: null, lastSeq: null });
}

function hasDamage(segment: Segment, decoders: Decoders): boolean {
  for (const { damage } of segment.entries(decoders)) if (damage !== undefined) return true;
  return false;
}

/** With the size of a file that could not be read. */
const sized = ({ fs }: JournalPorts, { path }: SegmentFile, damage: Damage): Damage =>
  damage.bytes === 0 && damage.kind === 'segment-header'
    ? { ...damage, bytes: fs.statIfThere(path)?.size ?? 0 }
    : damage;

/**
 * Reads the segment again with the lock held, so that no append is in flight.
 * @returns undefined if the lock's file cannot be opened, or the segment is gone
 */
function settle(
  ports: JournalPorts,
  layout: Layout,
  file: SegmentFile,
): Segment | 'busy' | undefined {
  let lock: LockFile;
  try {
    lock = new LockFile(ports, layout.lock);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
  try {
    const held = lock.hold(LOCK_BUDGET_MS, () => openSegment(ports, file));
    return held === undefined ? 'busy' : held.value;
  } finally {
    lock.close();
  }
}
