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
 * Replaces a segment by its repaired parts. Removed bytes go to quarantine first, and the later parts are written before the old
 * file is replaced, so that every event is in a file at any moment.
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
    // The file there cannot be read, else this part would be in it: keep it.
    if (ports.fs.statIfThere(path) !== undefined)
      kept.push(setAside(ports, layout, folder, segmentName({ path })));
    publish(ports, path, piece);
  }
  if (own === undefined) kept.push(setAside(ports, layout, folder, segment));
  else publish(ports, file.path, own);
  return kept;
}

/** Replaces the newest segment by a mended one, which may still have other damage. */
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

/** A part must be without damage before it replaces anything. */
function assertSound(ports: JournalPorts, { bytes }: Piece): void {
  if (!isSound(ports, bytes)) throw new RangeError('a repaired segment does not read back');
}

/** Does not unpack chunks. */
export function isSound(ports: ReaderPorts, bytes: Buffer): boolean {
  const segment = segmentIn(ports, bytes);
  if (segment.header === undefined) return false;
  return segment.file.sealed
    ? segment.sealed.damage.length === 0
    : [...segment.frames()].every(({ damage }) => damage === undefined);
}

/** The segment that these bytes make. */
export function segmentIn(ports: ReaderPorts, bytes: Buffer): Segment {
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  const sealed = ((header?.flags ?? 0) & SEGMENT_FLAG.sealed) !== 0;
  const file = { origin: '', firstSeq: header?.firstSeq ?? 0, sealed, path: '' };
  return new Segment(ports, file, bytes, header);
}

/** The last readable event; of a sealed segment the last by its footer. If there is none, the seq before the first. */
export function lastSeqIn(segment: Segment): number {
  let last = segment.header!.firstSeq - 1;
  if (segment.file.sealed) return segment.sealed.footer?.lastSeq ?? last;
  for (const { entry } of segment.frames()) last = entry?.seq ?? last;
  return last;
}
