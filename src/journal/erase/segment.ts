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

/** Unpack and pack segments. */
export interface ErasureCodecs extends Codecs {
  /** The level to note in the footer; the segment's own if left out. */
  level?: number;
}

/**
 * Rewrites a segment with tombstones in place of targets: what the chain covers stays, body and salt go, all sums are new. The
 * new file is decoded and compared before it replaces the old one. Call with both locks held.
 * @returns all its targets, which are tombstones now, and how many of them were events before
 * @throws Ben10Error JOURNAL_DAMAGED if the segment is damaged; Node's error if it cannot be written
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
  // Read the file again: only what is on disk counts as erased.
  if (!readFile(ports.fs, file.path, SEGMENT_BYTES_MAX).equals(bytes)) throw notTheSame(file);
  return { tombstones, made };
}

/** @throws Ben10Error JOURNAL_DAMAGED if nothing in the segment could be erased */
export function assertWhole(ports: JournalPorts, file: SegmentFile, codecs: ErasureCodecs): void {
  wholeSegment(ports, file, codecs);
}

/** Undefined if it is gone or empty. */
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

/** With the same header and salt; the sums of frames are seeded with their new offsets. */
function encodeRaw({ header, entries, anchor }: WholeSegment, { xxh64 }: JournalPorts): Buffer {
  const { salt } = header;
  const parts = [encodeSegmentHeader(header, xxh64)];
  let offset = SEGMENT_HEADER_BYTES;
  let previousChain = header.prevChain;
  for (const [index, entry] of entries.entries()) {
    const { frame, chain } = encodeFrame(entry, { salt, offset, previousChain }, xxh64);
    // The chain before the first one is lost, so that one is kept as it is.
    const kept = anchoredAt(anchor, index);
    if (kept !== undefined) frame.set(kept, FRAME.chain);
    parts.push(kept === undefined ? frame : moveFrame(frame, offset, salt, xxh64));
    offset += frame.length;
    previousChain = kept ?? chain;
  }
  return Buffer.concat(parts);
}

/** The chain proves all but kinds, flags and payloads, and nothing before the first known chain: these are compared. */
function assertSame(
  ports: JournalPorts,
  file: SegmentFile,
  bytes: Buffer,
  wanted: WholeSegment,
  { decoders }: ErasureCodecs,
): void {
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  const copy = wholeOf(new Segment(ports, file, bytes, header), decoders);
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
    `${segmentName(file)} is damaged, so nothing in it can be erased`,
    {
      place: { file: file.path },
      next: 'Run ben10 verify to see the damage and ben10 repair to mend it, then run the same again.',
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
