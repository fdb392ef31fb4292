import { FRAME, FRAME_HEADER_BYTES, HASH_BYTES, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { chainedBytes, chainOf, type Frame } from '../format/frame.ts';
import { segmentName } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { encodeSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import type { Segment } from '../read/open.ts';
import { type Damage, scanFrames } from '../read/scan.ts';
import { mendFrame, moveFrame } from './frame.ts';
import {
  headerBehindDamage,
  type Piece,
  type RepairItem,
  type SegmentRepair,
  UNKNOWN_CHAIN,
} from './piece.ts';

/** With more damaged places in one segment, flipped bits are not the reason. */
const MENDS_MAX = 64;

/** Frames without a gap between them. */
interface Run {
  frames: Frame[];
  /** Chain of the event before the first one; undefined if lost. */
  prevChain: Buffer | undefined;
}

/**
 * Repairs a closed raw segment: mends frames with one flipped bit, and splits the segment where events are lost.
 * @param end first seq of the next segment; `readEnd` of the next readable one, which holds the events from there on
 */
export function repairRaw(
  ports: JournalPorts,
  { file, bytes, header: known }: Segment,
  { end, readEnd }: { end: number; readEnd: number },
): SegmentRepair {
  const header = known!;
  const segment = segmentName(file);
  const { mended, items, removed } = mendRaw(ports, segment, bytes, header);
  const runs: Run[] = [];
  let chain: Buffer | undefined = header.prevChain;
  let isBroken = true;
  for (const { entry, damage } of scanFrames(mended, header, ports.xxh64)) {
    if (entry !== undefined) {
      if (entry.seq >= readEnd) {
        removed.push({ offset: entry.offset, bytes: mended.subarray(entry.offset) });
        break;
      }
      if (isBroken) runs.push({ frames: [], prevChain: linked(chain, entry) });
      runs.at(-1)!.frames.push(entry);
      chain = entry.chain;
      isBroken = false;
      continue;
    }
    isBroken = true;
    chain = damage.kind === 'body' ? chainIn(mended, damage.offset) : undefined;
    items.push(cutItem(segment, damage, end));
    if (damage.bytes > 0) {
      const { offset } = damage;
      removed.push({ offset, bytes: mended.subarray(offset, offset + damage.bytes) });
    }
  }
  const pieces = runs.map((run) => pieceOf(ports, mended, header, run));
  return { items, pieces, removed };
}

/** Corrects what can be corrected without any loss. The length stays the same. */
export function mendRaw(
  ports: JournalPorts,
  segment: string,
  bytes: Buffer,
  header: SegmentHeader,
): Pick<SegmentRepair, 'items' | 'removed'> & { mended: Buffer } {
  const mended = Buffer.from(bytes);
  mended.set(encodeSegmentHeader(header, ports.xxh64));
  const items: RepairItem[] = [];
  const removed: SegmentRepair['removed'] = [];
  const tried = new Set<number>();
  for (;;) {
    const damage = nextDamage(ports, mended, header, tried);
    if (damage === undefined || tried.size >= MENDS_MAX) return { mended, items, removed };
    const { offset } = damage;
    tried.add(offset);
    const length = mendFrame(mended, offset, header, ports.xxh64);
    if (length === undefined) continue;
    // A frame with a mended header may still have a damaged body.
    mendFrame(mended, offset, header, ports.xxh64);
    const before = bytes.subarray(offset, Math.min(offset + length, bytes.length));
    removed.push({ offset, bytes: before });
    const what = 'a damaged event is corrected by its checksums: nothing is lost';
    const place = { segment, kind: damage.kind, offset, bytes: before.length };
    items.push({ ...place, firstSeq: null, lastSeq: null, action: 'mend', what });
  }
}

function nextDamage(
  ports: JournalPorts,
  bytes: Buffer,
  header: SegmentHeader,
  tried: ReadonlySet<number>,
): Damage | undefined {
  for (const { damage } of scanFrames(bytes, header, ports.xxh64))
    if (damage !== undefined && damage.kind !== 'gap' && !tried.has(damage.offset)) return damage;
  return undefined;
}

function cutItem(segment: string, damage: Damage, end: number): RepairItem {
  const { kind, offset, bytes } = damage;
  const { firstSeq, lastSeq } = lostIn(damage, end);
  const what =
    bytes === 0
      ? 'events are missing here: they are recorded as lost'
      : 'unreadable bytes are removed; the events around them stay';
  return { segment, kind, offset, bytes, firstSeq, lastSeq, action: 'cut', what };
}

/** At the end of a segment, the next one's name tells how much is lost. */
function lostIn(
  { firstSeq, lastSeq }: Damage,
  end: number,
): Pick<RepairItem, 'firstSeq' | 'lastSeq'> {
  if (firstSeq === null || lastSeq !== null || !Number.isFinite(end)) return { firstSeq, lastSeq };
  return firstSeq < end ? { firstSeq, lastSeq: end - 1 } : { firstSeq: null, lastSeq: null };
}

/** The chain in the header of a frame whose body is lost. */
function chainIn(bytes: Buffer, offset: number): Buffer {
  const header = bytes.subarray(offset, offset + FRAME_HEADER_BYTES);
  return header.subarray(FRAME.chain, FRAME.chain + HASH_BYTES);
}

const linked = (chain: Buffer | undefined, first: Frame): Buffer | undefined =>
  chain !== undefined && chainOf(chain, chainedBytes(first)).equals(first.chain)
    ? chain
    : undefined;

function pieceOf(
  ports: JournalPorts,
  bytes: Buffer,
  header: SegmentHeader,
  { frames, prevChain }: Run,
): Piece {
  const first = frames[0]!;
  const last = frames.at(-1)!;
  const end = last.offset + last.bytes;
  if (first.offset === SEGMENT_HEADER_BYTES && first.seq === header.firstSeq)
    return { firstSeq: first.seq, bytes: bytes.subarray(0, end) };
  const before = prevChain ?? UNKNOWN_CHAIN;
  const behind = headerBehindDamage(ports, header, first.seq, first.hlc, before);
  return { firstSeq: first.seq, bytes: rawOf(ports, behind, bytes, frames) };
}

/** A raw segment of frames taken from another one's bytes. */
export function rawOf(
  { xxh64 }: JournalPorts,
  header: SegmentHeader,
  bytes: Buffer,
  frames: readonly Frame[],
): Buffer {
  const parts = [encodeSegmentHeader(header, xxh64)];
  let to = SEGMENT_HEADER_BYTES;
  for (const { offset, bytes: length } of frames) {
    parts.push(moveFrame(bytes.subarray(offset, offset + length), to, header.salt, xxh64));
    to += length;
  }
  return Buffer.concat(parts);
}
