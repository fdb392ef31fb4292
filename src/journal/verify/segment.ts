import type { Decoders } from '../../platform/codecs/codecs.ts';
import { errno } from '../../platform/errors.ts';
import { LockFile } from '../append/locking.ts';
import { blobReferencesIn } from '../format/blob-references.ts';
import { CHUNK_HEADER_BYTES, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import type { Entry } from '../format/frame.ts';
import { type Layout, type SegmentFile, segmentName } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { isSkipped, type SegmentHeader } from '../format/segment.ts';
import type { HistoryWalk } from '../read/history-walk.ts';
import { type LoadedSegment, loadListed, loadSegment } from '../read/load.ts';
import { misfits } from '../read/misfits.ts';
import type { Room } from '../read/room.ts';
import { scanFrames } from '../read/scan.ts';
import { openSealed, readChunk, type SealedSegment } from '../read/sealed.ts';
import type { RecordedLosses } from './gaps.ts';

/** How long a verification waits for an append to end before it passes a tail by. */
const LOCK_BUDGET_MS = 5000;
/** One origin's history, and what it says itself of events that are lost. */
export interface Walked {
  walk: HistoryWalk;
  losses: RecordedLosses;
}

/**
 * Follows one segment of an origin.
 * @param room for its bytes: nothing of them is held when it is done
 * @param isNewest it may be appended to at this moment
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
  const { walk } = walked;
  const found = loadListed(ports, listed, room);
  // Gone altogether: the next segment, or what is known to have been synced, tells what is missing.
  if (found === undefined) return;
  const { file } = found;
  let loaded: LoadedSegment = found;
  let isBusy = false;
  // Where nobody can lock nobody appends: what is there is judged as it stands.
  if (isNewest && !file.sealed && ports.lock !== undefined && hasDamage(ports, loaded)) {
    const settled = settle(ports, layout, file);
    isBusy = settled === 'busy';
    loaded = settled === 'busy' ? loaded : (settled ?? loaded);
  }
  walk.enter(segmentName(file));
  const { bytes, header, mended } = loaded;
  walk.begin(file.firstSeq, header);
  if (header === undefined) {
    const lost = { firstSeq: file.firstSeq, lastSeq: null };
    const size = bytes.length > 0 ? bytes.length : (ports.fs.statIfThere(file.path)?.size ?? 0);
    walk.lost({ kind: 'segment-header', offset: 0, bytes: size, ...lost }, true);
    return;
  }
  if (isSkipped(header)) {
    walk.skip();
    return;
  }
  const before = walk.damage.length;
  if (mended) {
    const place = { offset: 0, bytes: SEGMENT_HEADER_BYTES };
    walk.lost({ kind: 'segment-header', ...place, firstSeq: null, lastSeq: null });
  }
  if (!file.sealed) {
    verifyActive(ports, walked, bytes, header, isBusy);
    return;
  }
  const sealed = openSealed(bytes, header, ports.xxh64);
  const entries = verifyChunks(ports, walked, bytes, sealed, decoders);
  if (walk.damage.length > before) return;
  for (const place of misfits(ports, bytes, sealed, entries))
    walk.lost({ kind: 'index', ...place, firstSeq: null, lastSeq: null });
}

function hasDamage(ports: JournalPorts, { bytes, header, mended }: LoadedSegment): boolean {
  if (header === undefined || mended) return true;
  for (const { damage } of scanFrames(bytes, header, ports.xxh64)) if (damage) return true;
  return false;
}

/**
 * With the lock held nobody is in the middle of an append: what is still not whole then is damage.
 * @returns undefined where the lock's file cannot be had, or the segment is gone
 */
function settle(
  ports: JournalPorts,
  layout: Layout,
  file: SegmentFile,
): LoadedSegment | 'busy' | undefined {
  let lock: LockFile;
  try {
    lock = new LockFile(ports, layout.lock);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
  try {
    const held = lock.hold(LOCK_BUDGET_MS, () => loadSegment(ports, file));
    return held === undefined ? 'busy' : held.value;
  } finally {
    lock.close();
  }
}

function verifyActive(
  ports: JournalPorts,
  { walk, losses }: Walked,
  bytes: Buffer,
  header: SegmentHeader,
  isBusy: boolean,
): void {
  const refers = blobReferencesIn(bytes);
  for (const { frame, damage } of scanFrames(bytes, header, ports.xxh64)) {
    if (frame !== undefined) {
      walk.frame(frame, refers(frame.offset, frame.offset + frame.bytes));
      losses.note(frame);
      continue;
    }
    const toEnd = damage.offset + damage.bytes === bytes.length;
    if (!(toEnd && isBusy)) walk.lost(damage, damage.kind === 'tail');
  }
}

/** Returns the entries that could be read. */
function verifyChunks(
  ports: JournalPorts,
  { walk, losses }: Walked,
  bytes: Buffer,
  sealed: SealedSegment,
  decoders: Decoders,
): Entry[] {
  const entries: Entry[] = [];
  for (const damage of sealed.damage) if (damage.kind === 'chunk') walk.lost(damage);
  for (const chunk of sealed.chunks) {
    const read = readChunk(bytes, sealed, chunk, decoders, ports.xxh64);
    const place = { offset: chunk.offset, bytes: CHUNK_HEADER_BYTES + chunk.storedBytes };
    if (read.entries === undefined) walk.lost(read.damage);
    for (const entry of read.entries ?? []) {
      walk.entry(entry);
      losses.note(entry);
      entries.push(entry);
    }
    walk.chunkEnd(place, chunk.firstSeq, chunk.firstSeq + chunk.count - 1, chunk.endChain);
  }
  for (const damage of sealed.damage) {
    if (damage.kind === 'chunk') continue;
    walk.lost(damage, damage.firstSeq !== null && damage.lastSeq === null);
  }
  return entries;
}
