import type { Hash64 } from '../../platform/xxh64.ts';
import { readU32 } from '../format/bytes.ts';
import type { ChunkHeader } from '../format/chunk.ts';
import { decodeFrame } from '../format/decode-frame.ts';
import { FRAME_ALIGN, FRAME_MAGIC, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { chainedIn, chainOf, type Entry, type Frame, frameBytes } from '../format/frame.ts';
import type { SegmentHeader } from '../format/segment.ts';

/**
 * A stretch of a file that could not be believed. Data, not a decision: whether a tail is torn or lost is for
 * whoever holds the lock to say.
 *
 * - `segment-header`: the whole file; nothing in it can be placed
 * - `header`: from `offset` up to the next believable frame
 * - `body`: one event; its header is sound
 * - `gap`: sound frames, but the seqs between them are missing
 * - `tail`: from `offset` to the end of the file no frame can be believed
 * - `chunk`, `index`: parts of a sealed segment
 * - `chain`, `commit`: checksums hold but the history does not: edited, or forked
 * - `missing`: a whole segment is not there
 * - `inbox`: a file of events that wait for a seq
 * - `blob`: a text kept beside the journal is missing or damaged
 * - `manifest`: it is damaged, or missing beside segments: names of older blobs cannot be checked
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
  /** Seqs that are lost as far as it can be told; null when it cannot. */
  firstSeq: number | null;
  lastSeq: number | null;
}

/** An entry, or damage in the place of entries. */
export type ScanItem<E extends Entry = Frame> =
  | { entry: E; damage?: never; chunk?: never }
  | { damage: Damage; entry?: never; chunk?: never };

/** What a segment holds, in the order of the file; a chunk comes behind its entries. */
export type SegmentItem = ScanItem<Entry> | { chunk: ChunkHeader; entry?: never; damage?: never };

/**
 * Walks the frames of an active segment's bytes. A frame that is whole is yielded in rising seq, also one of a
 * kind that readers skip; everything else is yielded as damage, also the in-flight tail of a file that is being
 * appended to.
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

/** What the least event takes, an erased one. */
const FRAME_BYTES_MIN = frameBytes(0);

/**
 * Finds the next believable frame behind `damaged`. A frame that somebody planted in a payload must not pass: its checksum
 * is seeded with its own offset, the frame behind it, if there is one, must chain to it, and its seq must rise, by no more
 * than the frames that there was room for: one that jumps would leave no seqs for what comes after it.
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
