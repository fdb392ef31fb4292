import type { Decoders } from '../../platform/codecs/codecs.ts';
import { chainedBytes, chainOf, type Frame } from '../format/frame.ts';
import { type SegmentFile, segmentName } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { Segment } from '../read/open.ts';
import { anchoredAt, type WholeSegment, wholeOf } from '../read/whole.ts';
import { sealSegment } from '../seal/seal.ts';
import { headerBehindDamage, type Piece, type SegmentRepair, UNKNOWN_CHAIN } from './piece.ts';
import { rawOf } from './raw.ts';

/** The next compaction packs it. */
const UNPACKED = { compress: () => undefined };

/**
 * Removes events from a segment that repeat seqs of earlier segments, which readers hide. The rest becomes a new segment, before
 * which the chain is unknown.
 * @param readBefore the last event of the segments before it
 * @returns undefined if the segment has other damage, which is repaired first
 */
export function withoutOverlap(
  ports: JournalPorts,
  segment: Segment,
  readBefore: number,
  decoders: Decoders,
): SegmentRepair | undefined {
  const { file, bytes } = segment;
  const whole = wholeOf(segment, decoders);
  if (whole === undefined) return undefined;
  const at = whole.entries.findIndex(({ seq }) => seq > readBefore);
  const pieces = at === -1 ? [] : [pieceFrom(ports, file, bytes, whole, at)];
  const what =
    'earlier segments hold other events with the same numbers: these are removed, and kept in quarantine';
  const place = { segment: segmentName(file), offset: 0, bytes: bytes.length };
  const item = { ...place, kind: 'chain', firstSeq: null, lastSeq: null, action: 'cut' as const };
  const removed = pieces.length === 0 ? [] : [{ offset: 0, bytes }];
  return { items: [{ ...item, what }], pieces, removed };
}

function pieceFrom(
  ports: JournalPorts,
  file: SegmentFile,
  bytes: Buffer,
  { header, entries, anchor }: WholeSegment,
  at: number,
): Piece {
  const rest = entries.slice(at);
  const { seq: firstSeq, hlc } = rest[0]!;
  const own = headerBehindDamage(ports, header, firstSeq, hlc, UNKNOWN_CHAIN);
  if (!file.sealed) return { firstSeq, bytes: rawOf(ports, own, bytes, rest as Frame[]) };
  // Within the chunk before the first known chain, only its end is known.
  const kept = anchor !== undefined && at < anchor.count ? anchor.count - at : 1;
  const chain = entries
    .slice(0, at + kept)
    .reduce(
      (before, entry, index) => anchoredAt(anchor, index) ?? chainOf(before, chainedBytes(entry)),
      header.prevChain,
    );
  const first = { count: kept, chain };
  return { firstSeq, bytes: sealSegment(own, rest, 0, UNPACKED, ports.xxh64, first) };
}
