import type { Hash64 } from '../../platform/xxh64.ts';
import { readU32 } from '../format/bytes.ts';
import type { ChunkHeader } from '../format/chunk.ts';
import { decodeFrame } from '../format/decode-frame.ts';
import { FRAME_ALIGN, FRAME_MAGIC, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { chainedIn, chainOf, type Entry, type Frame, frameBytes } from '../format/frame.ts';
import type { SegmentHeader } from '../format/segment.ts';

/**
 * A damaged part of a file. Only the lock holder may decide whether a tail is torn or lost.
 *
 * - `segment-header`: the whole file: without its header nothing in it can be placed
 * - `header`: from `offset` up to the next sound frame
 * - `body`: one event, whose header is sound
 * - `gap`: sound frames between which seqs are missing
 * - `tail`: from `offset` to the end of the file there is no sound frame
 * - `chunk`, `index`: parts of a sealed segment
 * - `chain`, `commit`: checksums are right, the history is not: it was edited or forked
 * - `missing`: a whole segment
 * - `inbox`: a file of waiting events
 * - `blob`: a text beside the journal is missing or damaged
 * - `manifest`: damaged, or missing although there are segments; names of older blobs cannot be checked
 */
export type DamageKind =
  | 'segment-header'
  | 'header'
  | 'body'
  | 'gap'
  | 'tail'
  | 'chunk'
  | 'index'
  | 'chain'
  | 'commit'
  | 'missing'
  | 'inbox'
  | 'blob'
  | 'manifest';

export interface Damage {
  kind: DamageKind;
  /** Bytes from the start of the file. */
  offset: number;
  bytes: number;
  /** Lost seqs; null if unknown. */
  firstSeq: number | null;
  lastSeq: number | null;
}

/** An entry, or damage in place of entries. */
export type ScanItem<E extends Entry = Frame> =
  | { entry: E; damage?: never; chunk?: never }
  | { damage: Damage; entry?: never; chunk?: never };

/** The content of a segment in file order; a chunk comes after its entries. */
export type SegmentItem = ScanItem<Entry> | { chunk: ChunkHeader; entry?: never; damage?: never };

/**
 * Walks the frames of a raw segment. Sound frames come in rising seq, including kinds that readers skip; everything else comes
 * as damage, including an append in flight at the end.
 */
export function* scanFrames(
  segment: Buffer,
  header: SegmentHeader,
  xxh64: Hash64,
): Generator<ScanItem> {
  let offset = SEGMENT_HEADER_BYTES;
  let expected = header.firstSeq;
  while (offset < segment.length) {
    const decoded = decodeFrame(segment, offset, header.salt, xxh64);
    const believable =
      (!('problem' in decoded) || decoded.problem === 'body') &&
      decoded.seq !== undefined &&
      decoded.seq >= expected;
    if (!believable) {
      const next = resync(segment, header, xxh64, offset, expected);
      yield { damage: lost(segment, offset, next, expected) };
      if (next === undefined) return;
      offset = next.offset;
      expected = next.seq;
      continue;
    }
    const seq = decoded.seq!;
    if (seq > expected) {
      yield { damage: { kind: 'gap', offset, bytes: 0, firstSeq: expected, lastSeq: seq - 1 } };
    }
    if ('problem' in decoded) {
      yield { damage: { kind: 'body', offset, bytes: decoded.bytes, firstSeq: seq, lastSeq: seq } };
    } else {
      yield { entry: decoded };
    }
    offset += decoded.bytes;
    expected = seq + 1;
  }
}

function lost(
  segment: Buffer,
  offset: number,
  next: { offset: number; seq: number } | undefined,
  first: number,
): Damage {
  if (next === undefined) {
    return { kind: 'tail', offset, bytes: segment.length - offset, firstSeq: first, lastSeq: null };
  }
  const none = next.seq <= first;
  return {
    kind: 'header',
    offset,
    bytes: next.offset - offset,
    firstSeq: none ? null : first,
    lastSeq: none ? null : next.seq - 1,
  };
}

/** The smallest frame is a tombstone's. */
const FRAME_BYTES_MIN = frameBytes(0);

/**
 * Finds the next sound frame after `damaged`. A frame planted in a payload must not pass: its checksum is seeded with its
 * offset, the frame behind it must chain to it, and its seq may rise by no more than the frames that fit in between. A larger
 * jump would leave no seqs for later events.
 */
function resync(
  segment: Buffer,
  header: SegmentHeader,
  xxh64: Hash64,
  damaged: number,
  expected: number,
): { offset: number; seq: number } | undefined {
  for (let offset = damaged + FRAME_ALIGN; offset + 4 <= segment.length; offset += FRAME_ALIGN) {
    if (readU32(segment, offset) !== FRAME_MAGIC) continue;
    const frame = decodeFrame(segment, offset, header.salt, xxh64);
    if (frame.seq === undefined || frame.seq < expected) continue;
    const seqMax = expected + Math.floor((offset - damaged) / FRAME_BYTES_MIN);
    if (frame.seq > seqMax) continue;
    if ('problem' in frame) {
      if (frame.problem === 'body') return { offset, seq: frame.seq };
      continue;
    }
    const behind = decodeFrame(segment, offset + frame.bytes, header.salt, xxh64);
    if (!('problem' in behind) && !linked(frame, behind, segment)) continue;
    return { offset, seq: frame.seq };
  }
  return undefined;
}

function linked(frame: Frame, behind: Frame, segment: Buffer): boolean {
  return chainOf(frame.chain, chainedIn(segment.subarray(behind.offset))).equals(behind.chain);
}
