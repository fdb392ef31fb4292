import { Ben10Error } from '../../platform/errors.ts';
import { readFile, writeFileAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { FRAME, FRAME_KIND, SEGMENT_BYTES_MAX, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { type Entry, encodeFrame } from '../format/frame.ts';
import { type SegmentFile, segmentName } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  isSkipped,
  newerFormat,
} from '../format/segment.ts';
import { openSegment, Segment } from '../read/open.ts';
import { anchoredAt, isSameEntry, type WholeSegment, wholeOf } from '../read/whole.ts';
import { moveFrame } from '../repair/frame.ts';
import type { Codecs } from '../seal/compact-segment.ts';
import { sealSegment } from '../seal/seal.ts';

/** What segments are unpacked and packed with. */
export interface ErasureCodecs extends Codecs {
  /** Zstd level that `zstd` packs with, whatever it is asked for; the segment's own when left out. */
  level?: number;
}

/**
 * Rewrites one segment with tombstones in the place of the events that have to go: every byte that the chain covers stays,
 * body and salt are gone, all sums are new. The new file is decoded and compared before it takes the old one's name.
 * Call with both locks held.
 * @returns the targets in it, tombstones now, and how many of them were events before
 * @throws Ben10Error JOURNAL_DAMAGED when the segment cannot be read as a whole; Node's error when it cannot be written
 */
export function eraseInSegment(
  ports: JournalPorts,
  file: SegmentFile,
  isTarget: (seq: number) => boolean,
  codecs: ErasureCodecs,
): { tombstones: Entry[]; made: number } {
  const source = wholeSegment(ports, file, codecs);
  if (source === undefined) return { tombstones: [], made: 0 };
  const tombstones = source.entries.filter(
    ({ seq, kind }) => kind <= FRAME_KIND.tombstone && isTarget(seq),
  );
  const has = (entry: Entry) => entry.kind === FRAME_KIND.event && isTarget(entry.seq);
  const made = tombstones.filter(has).length;
  if (made === 0) return { tombstones, made };
  const entries = source.entries.map((entry) => (has(entry) ? tombstoneOf(entry) : entry));
  const bytes = file.sealed
    ? sealed(source, entries, codecs, ports)
    : encodeRaw({ ...source, entries }, ports);
  assertSame(ports, file, bytes, { ...source, entries }, codecs);
  writeFileAtomic(ports.fs, file.path, bytes, randomHex(ports.random, 6), { durable: true });
  // Not what was meant to be written but what is there: nothing is called erased that was only tried.
  if (!readFile(ports.fs, file.path, SEGMENT_BYTES_MAX).equals(bytes)) throw notTheSame(file);
  return { tombstones, made };
}

/** @throws Ben10Error JOURNAL_DAMAGED when nothing in the segment could be erased */
export function assertWhole(ports: JournalPorts, file: SegmentFile, codecs: ErasureCodecs): void {
  wholeSegment(ports, file, codecs);
}

/** Undefined when it is gone, or has no event yet. */
function wholeSegment(
  ports: JournalPorts,
  file: SegmentFile,
  codecs: ErasureCodecs,
): WholeSegment | undefined {
  const segment = openSegment(ports, file);
  if (segment === undefined) return undefined;
  if (isSkipped(segment.header)) throw newerFormat(file.path, 'this segment');
  const whole = wholeOf(segment, codecs.decoders);
  const isEmpty = segment.header !== undefined && segment.bytes.length === SEGMENT_HEADER_BYTES;
  if (whole === undefined && !isEmpty) throw damaged(file);
  return whole;
}

function sealed(
  { header, level, anchor }: WholeSegment,
  entries: readonly Entry[],
  codecs: ErasureCodecs,
  { xxh64 }: JournalPorts,
): Buffer {
  const { zstd, level: own = level } = codecs;
  return sealSegment(header, entries, own, zstd, xxh64, anchor);
}

const NOTHING = Buffer.alloc(0);

function tombstoneOf(entry: Entry): Entry {
  const { flags, typeTag, seq, hlc, id, syncedUpto, commit } = entry;
  const kept = { flags, typeTag, seq, hlc, id, syncedUpto, commit };
  return { ...kept, kind: FRAME_KIND.tombstone, salt: NOTHING, payload: NOTHING };
}

/** The same header, so the same salt: the sums of frames that moved are seeded with their new offsets. */
function encodeRaw({ header, entries, anchor }: WholeSegment, { xxh64 }: JournalPorts): Buffer {
  const { salt } = header;
  const parts = [encodeSegmentHeader(header, xxh64)];
  let offset = SEGMENT_HEADER_BYTES;
  let previousChain = header.prevChain;
  for (const [index, entry] of entries.entries()) {
    const { frame, chain } = encodeFrame(entry, { salt, offset, previousChain }, xxh64);
    // What the first chain follows from is lost: it stays as it is.
    const kept = anchoredAt(anchor, index);
    if (kept !== undefined) frame.set(kept, FRAME.chain);
    parts.push(kept === undefined ? frame : moveFrame(frame, offset, salt, xxh64));
    offset += frame.length;
    previousChain = kept ?? chain;
  }
  return Buffer.concat(parts);
}

/** The chain covers all but kinds, flags and payloads; what stays before it can be counted on from is compared by itself. */
function assertSame(
  ports: JournalPorts,
  file: SegmentFile,
  bytes: Buffer,
  wanted: WholeSegment,
  { decoders }: ErasureCodecs,
): void {
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  const copy =
    header && wholeOf(new Segment(ports, file, bytes, { header, mended: false }), decoders);
  const same =
    copy?.endChain.equals(wanted.endChain) === true &&
    copy.entries.length === wanted.entries.length &&
    copy.entries.every((entry, index) => {
      const same = wanted.entries[index]!;
      const { kind, flags, payload } = same;
      const isProved = anchoredAt(wanted.anchor, index) === undefined || isSameEntry(entry, same);
      return (
        isProved && entry.kind === kind && entry.flags === flags && entry.payload.equals(payload)
      );
    });
  if (!same) throw notTheSame(file);
}

function damaged(file: SegmentFile): Ben10Error {
  return new Ben10Error(
    'JOURNAL_DAMAGED',
    `${segmentName(file)} is damaged, so nothing in it can be taken out`,
    {
      place: { file: file.path },
      next: 'See what is damaged with ben10 verify, mend it with ben10 repair, then run the same again.',
    },
  );
}

function notTheSame(file: SegmentFile): Ben10Error {
  return new Ben10Error(
    'JOURNAL_DAMAGED',
    `${segmentName(file)} did not read back as it was written`,
    {
      place: { file: file.path },
      next: 'Check the disk, then run the same again: what was begun is finished.',
    },
  );
}
