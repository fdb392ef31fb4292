import { writeFileAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { SEGMENT_FLAG, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import {
  type Layout,
  originDir,
  type SegmentFile,
  segmentName,
  segmentPath,
} from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import { decodeSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { scanFrames } from '../read/scan.ts';
import { openSealed } from '../read/sealed.ts';
import type { Piece, SegmentRepair } from './piece.ts';
import { keep, setAside } from './quarantine.ts';

/**
 * Puts the parts of a repaired segment in its place. What is taken out is kept first; the parts behind the first one come
 * before the old file is replaced, so that at no moment an event is in neither.
 * @returns names in quarantine
 */
export function replace(
  ports: JournalPorts,
  layout: Layout,
  file: SegmentFile,
  { pieces, removed }: SegmentRepair,
): string[] {
  for (const piece of pieces) assertSound(ports, piece);
  const segment = segmentName(file);
  const kept = keepAll(ports, layout, segment, removed);
  const folder = originDir(layout, file.origin);
  const own = pieces.find(({ firstSeq }) => firstSeq === file.firstSeq);
  for (const piece of pieces) {
    if (piece === own) continue;
    const path = segmentPath(layout, file.origin, piece.firstSeq, file.sealed);
    // A file that cannot be read, or this part would not be here: what it holds may be had from it all the same.
    if (ports.fs.statIfThere(path) !== undefined)
      kept.push(setAside(ports, layout, folder, segmentName({ path })));
    publish(ports, path, piece);
  }
  if (own === undefined) kept.push(setAside(ports, layout, folder, segment));
  else publish(ports, file.path, own);
  return kept;
}

/** Puts a segment that was mended, and may still have other damage, in the place of the one that is appended to. */
export function replaceNewest(
  ports: JournalPorts,
  layout: Layout,
  file: SegmentFile,
  { pieces, removed }: SegmentRepair,
): string[] {
  const kept = keepAll(ports, layout, segmentName(file), removed);
  for (const piece of pieces) publish(ports, file.path, piece);
  return kept;
}

const keepAll = (
  ports: JournalPorts,
  layout: Layout,
  segment: string,
  removed: SegmentRepair['removed'],
): string[] =>
  removed
    .filter(({ bytes }) => bytes.length > 0)
    .map(({ offset, bytes }) => keep(ports, layout, `${segment}.${offset}`, bytes));

function publish(ports: JournalPorts, path: string, { bytes }: Piece): void {
  writeFileAtomic(ports.fs, path, bytes, randomHex(ports.random, 6), { durable: true });
}

/** What is going to take a segment's place must itself be without damage. */
function assertSound(ports: JournalPorts, { bytes }: Piece): void {
  if (!isSound(ports, bytes)) throw new RangeError('a repaired segment does not read back');
}

/** Whether a segment, raw or sealed, reads without damage; what is packed is not unpacked. */
export function isSound(ports: ReaderPorts, bytes: Buffer): boolean {
  const header = decodeSegmentHeader(bytes.subarray(0, SEGMENT_HEADER_BYTES), ports.xxh64);
  if (header === undefined) return false;
  return (header.flags & SEGMENT_FLAG.sealed) !== 0
    ? openSealed(bytes, header, ports.xxh64).damage.length === 0
    : [...scanFrames(bytes, header, ports.xxh64)].every(({ damage }) => damage === undefined);
}

/** Of the last event that can be read, as far as the segment says it; the one before its first where there is none. */
export function lastSeqIn(ports: ReaderPorts, bytes: Buffer, header: SegmentHeader): number {
  let last = header.firstSeq - 1;
  if ((header.flags & SEGMENT_FLAG.sealed) !== 0)
    return openSealed(bytes, header, ports.xxh64).footer?.lastSeq ?? last;
  for (const { frame } of scanFrames(bytes, header, ports.xxh64)) last = frame?.seq ?? last;
  return last;
}
