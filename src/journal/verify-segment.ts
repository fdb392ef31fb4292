import { createHash } from 'node:crypto';
import type { Decoders } from '../platform/codecs/codecs.ts';
import { errno } from '../platform/errors.ts';
import { FOOTER_BYTES, SEGMENT_HEADER_BYTES } from './format.ts';
import type { HistoryWalk } from './history-walk.ts';
import { type Layout, type SegmentFile, segmentName } from './layout.ts';
import { type LoadedSegment, loadSegment } from './load.ts';
import { LockFile } from './locking.ts';
import type { JournalPorts } from './ports.ts';
import { scanFrames } from './scan.ts';
import { openSealed, readChunk } from './sealed.ts';
import type { SegmentHeader } from './segment.ts';

/** How long a verification waits for an append to end before it passes a tail by. */
const LOCK_BUDGET_MS = 5000;

export interface SegmentToVerify {
  file: SegmentFile;
  /** May be appended to at this moment. */
  isNewest: boolean;
  /** Segments of another journal do not belong here; undefined when nobody can say. */
  journalId: string | undefined;
}

/** Follows one segment of an origin. */
export function verifySegment(
  ports: JournalPorts,
  layout: Layout,
  walk: HistoryWalk,
  target: SegmentToVerify,
  decoders: Decoders,
): void {
  const found = find(ports, target.file);
  // Gone altogether: the next segment, or what is known to have been synced, tells what is missing.
  if (found === undefined) return;
  const { file } = found;
  let { loaded } = found;
  let isBusy = false;
  if (target.isNewest && !file.sealed && hasDamage(ports, loaded)) {
    const settled = settle(ports, layout, file);
    isBusy = settled === 'busy';
    loaded = settled === 'busy' ? loaded : (settled ?? loaded);
  }
  walk.enter(segmentName(file));
  const { bytes, header, mended } = loaded;
  const journalId = header?.journalId.toString('hex');
  if (header === undefined || journalId !== (target.journalId ?? journalId)) {
    const lost = { firstSeq: file.firstSeq, lastSeq: null };
    walk.lost({ kind: 'segment-header', offset: 0, bytes: bytes.length, ...lost }, true);
    return;
  }
  walk.begin(header);
  if (mended) {
    const place = { offset: 0, bytes: SEGMENT_HEADER_BYTES };
    walk.lost({ kind: 'segment-header', ...place, firstSeq: null, lastSeq: null });
  }
  if (file.sealed) verifySealed(ports, walk, bytes, header, decoders);
  else verifyActive(ports, walk, bytes, header, isBusy);
}

/** A segment may have been sealed since it was listed. */
function find(
  ports: JournalPorts,
  file: SegmentFile,
): { file: SegmentFile; loaded: LoadedSegment } | undefined {
  const sealed = { ...file, sealed: true, path: `${file.path}z` };
  for (const one of file.sealed ? [file] : [file, sealed]) {
    const loaded = loadSegment(ports, one);
    if (loaded !== undefined) return { file: one, loaded };
  }
  return undefined;
}

function hasDamage(ports: JournalPorts, { bytes, header, mended }: LoadedSegment): boolean {
  if (header === undefined || mended) return true;
  for (const { damage } of scanFrames(bytes, header, ports.xxh64)) if (damage) return true;
  return false;
}

/**
 * With the lock held nobody is in the middle of an append: what is still not whole then is damage.
 * @returns undefined where nobody can lock, and so nobody appends
 */
function settle(
  ports: JournalPorts,
  layout: Layout,
  file: SegmentFile,
): LoadedSegment | 'busy' | undefined {
  if (ports.lock === undefined) return undefined;
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
  walk: HistoryWalk,
  bytes: Buffer,
  header: SegmentHeader,
  isBusy: boolean,
): void {
  for (const { frame, damage } of scanFrames(bytes, header, ports.xxh64)) {
    if (frame !== undefined) {
      walk.entry(frame, { offset: frame.offset, bytes: frame.bytes }, frame.chain);
      continue;
    }
    const toEnd = damage.offset + damage.bytes === bytes.length;
    if (!(toEnd && isBusy)) walk.lost(damage, toEnd);
  }
}

function verifySealed(
  ports: JournalPorts,
  walk: HistoryWalk,
  bytes: Buffer,
  header: SegmentHeader,
  decoders: Decoders,
): void {
  const before = walk.damage.length;
  const sealed = openSealed(bytes, header, ports.xxh64);
  for (const chunk of sealed.chunks) {
    const read = readChunk(bytes, sealed, chunk, decoders, ports.xxh64);
    const place = { offset: chunk.offset, bytes: chunk.storedBytes };
    if (read.entries === undefined) walk.lost(read.damage);
    else for (const entry of read.entries) walk.entry(entry, place);
    walk.chunkEnd(place, chunk.firstSeq, chunk.firstSeq + chunk.count - 1, chunk.endChain);
  }
  for (const damage of sealed.damage) walk.lost(damage, true);
  if (sealed.footer === undefined || walk.damage.length > before) return;
  const { digest, indexOffset } = sealed.footer;
  const content = bytes.subarray(0, bytes.length - FOOTER_BYTES);
  if (createHash('sha256').update(content).digest().equals(digest)) return;
  // Everything was read, and still a byte is not what it was: in a chunk's own header, or in the id table.
  const place = { offset: indexOffset, bytes: content.length - indexOffset };
  walk.lost({ kind: 'index', ...place, firstSeq: null, lastSeq: null });
}
