import { writeFileAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { SEGMENT_FLAG } from '../format/format.ts';
import {
  type Layout,
  originDir,
  type SegmentFile,
  segmentName,
  segmentPath,
} from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import { decodeSegmentHeader } from '../format/segment.ts';
import { Segment } from '../read/open.ts';
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

/** What is packed in it is not unpacked. */
export function isSound(ports: ReaderPorts, bytes: Buffer): boolean {
  const segment = segmentIn(ports, bytes);
  if (segment.header === undefined) return false;
  return segment.file.sealed
    ? segment.sealed.damage.length === 0
    : [...segment.frames()].every(({ damage }) => damage === undefined);
}

/** The segment that these bytes are going to be. */
export function segmentIn(ports: ReaderPorts, bytes: Buffer): Segment {
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  const sealed = ((header?.flags ?? 0) & SEGMENT_FLAG.sealed) !== 0;
  const file = { origin: '', firstSeq: header?.firstSeq ?? 0, sealed, path: '' };
  return new Segment(ports, file, bytes, header && { header, mended: false });
}

/** The last event that can be read, as far as the segment says it; the one before its first where there is none. */
export function lastSeqIn(segment: Segment): number {
  let last = segment.header!.firstSeq - 1;
  if (segment.file.sealed) return segment.sealed.footer?.lastSeq ?? last;
  for (const { entry } of segment.frames()) last = entry?.seq ?? last;
  return last;
}
