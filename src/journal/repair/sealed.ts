import type { Decoders } from '../../platform/codecs/codecs.ts';
import type { Hash64 } from '../../platform/xxh64.ts';
import { copyOf } from '../format/bytes.ts';
import { type ChunkHeader, encodeChunkHeader, packRecords } from '../format/chunk.ts';
import { CHUNK_HEADER_BYTES, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { chainedBytes, chainOf, type Entry } from '../format/frame.ts';
import { segmentName } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';
import type { Segment } from '../read/open.ts';
import type { Damage } from '../read/scan.ts';
import { chunksMarred, endOffset, readChunk } from '../read/sealed.ts';
import { joinChunks, LEVEL_SEAL } from '../seal/seal.ts';
import {
  headerBehindDamage,
  type Piece,
  type RepairItem,
  type SegmentRepair,
  UNKNOWN_CHAIN,
} from './piece.ts';

/** A readable chunk with its entries. */
interface SoundChunk {
  header: ChunkHeader;
  stored: Buffer;
  entries: Entry[];
}

interface Run {
  chunks: SoundChunk[];
  /** Chain of the event before the first one; undefined if lost. */
  prevChain: Buffer | undefined;
}

/**
 * Repairs a sealed segment: keeps readable chunks as they are, rebuilds index, id table and footer, and splits the segment where a
 * chunk is lost.
 * @param damage what was found in it
 * @param readEnd first seq of the next readable segment, which holds the events from there on
 */
export function repairSealed(
  ports: JournalPorts,
  { file, bytes, header: known, sealed }: Segment,
  damage: readonly Damage[],
  readEnd: number,
  decoders: Decoders,
): SegmentRepair {
  const header = known!;
  const segment = segmentName(file);
  const items: RepairItem[] = [];
  const removed: SegmentRepair['removed'] = [];
  const runs: Run[] = [];
  const isKnown = header.firstSeq === 1 || !header.prevChain.equals(UNKNOWN_CHAIN);
  let chain: Buffer | undefined = isKnown ? header.prevChain : undefined;
  let next = header.firstSeq;
  let at = SEGMENT_HEADER_BYTES;
  let isBroken = true;
  const cut = (from: number, to: number, firstSeq: number, lastSeq: number): void => {
    const what = 'an unreadable part is removed; the events around it stay';
    const place = { segment, kind: 'chunk', offset: from, bytes: to - from };
    items.push({ ...place, firstSeq, lastSeq, action: 'cut', what });
    removed.push({ offset: from, bytes: bytes.subarray(from, to) });
    isBroken = true;
  };
  for (const chunk of sealed.chunks) {
    if (chunk.firstSeq >= readEnd) break;
    if (chunk.firstSeq > next) {
      cut(at, chunk.offset, next, chunk.firstSeq - 1);
      chain = undefined;
    }
    next = chunk.firstSeq + chunk.count;
    at = endOffset(chunk);
    const { entries } = readChunk(bytes, sealed, chunk, decoders, ports.xxh64);
    if (entries === undefined) {
      cut(chunk.offset, at, chunk.firstSeq, next - 1);
    } else {
      if (isBroken) runs.push({ chunks: [], prevChain: chain });
      const stored = bytes.subarray(chunk.offset + CHUNK_HEADER_BYTES, at);
      runs.at(-1)!.chunks.push({ header: chunk, stored, entries });
      isBroken = false;
    }
    chain = copyOf(chunk.endChain);
  }
  if (!runs.every(isHistory)) return notRebuilt(segment, bytes);
  const marred = chunksMarred(bytes, sealed);
  for (const { offset } of marred) {
    const place = { segment, kind: 'index', offset, bytes: CHUNK_HEADER_BYTES };
    const what = 'the header of a chunk is rebuilt from its copy in the index';
    items.push({ ...place, firstSeq: null, lastSeq: null, action: 'rebuild', what });
    removed.push({ offset, bytes: bytes.subarray(offset, offset + CHUNK_HEADER_BYTES) });
  }
  // What comes after the chunks is rebuilt in any case.
  removed.push({ offset: at, bytes: bytes.subarray(at) });
  const level = sealed.footer?.level ?? LEVEL_SEAL;
  if (marred.length === 0) {
    const place = { segment, kind: 'index', offset: at, bytes: bytes.length - at };
    // The footer may be another segment's.
    const lastSeq = Math.min(sealed.footer?.lastSeq ?? 0, readEnd - 1);
    // Without footer and chunks, only the names around tell what it held.
    const all = runs.length > 0 ? undefined : damage.find((one) => isLostIndex(one, readEnd));
    if (lastSeq >= next)
      items.push({ ...place, firstSeq: next, lastSeq, action: 'cut', what: ANEW });
    else if (all === undefined)
      items.push({ ...place, firstSeq: null, lastSeq: null, action: 'rebuild', what: ANEW });
    else {
      const { firstSeq, lastSeq } = all;
      const what = 'nothing in it can be read: the whole file is set aside';
      items.push({ ...place, firstSeq, lastSeq, action: 'set-aside', what });
    }
  }
  return { items, pieces: runs.map((run) => pieceOf(ports, header, run, level)), removed };
}

const ANEW = 'index, id table and footer are rebuilt from the readable events';

const isLostIndex = ({ kind, firstSeq }: Damage, readEnd: number): boolean =>
  kind === 'index' && (firstSeq ?? readEnd) < readEnd;

function notRebuilt(segment: string, bytes: Buffer): SegmentRepair {
  const what = 'its events do not fit its chain: somebody edited it, so it is left as it is';
  const place = { segment, kind: 'chain', offset: 0, bytes: bytes.length };
  const item = { ...place, firstSeq: null, lastSeq: null, action: 'none' as const, what };
  return { items: [item], pieces: [], removed: [] };
}

function pieceOf(
  ports: JournalPorts,
  header: SegmentHeader,
  { chunks, prevChain }: Run,
  level: number,
): Piece {
  const first = chunks[0]!.header;
  const firstSeq = first.firstSeq;
  const isWhole = firstSeq === header.firstSeq;
  const own = isWhole
    ? header
    : headerBehindDamage(ports, header, firstSeq, first.firstHlc, prevChain ?? UNKNOWN_CHAIN);
  return { firstSeq, bytes: encodeSealed(own, chunks, level, ports.xxh64) };
}

/** A sealed segment of packed chunks, with new offsets and checksums. */
function encodeSealed(
  header: SegmentHeader,
  chunks: readonly SoundChunk[],
  level: number,
  xxh64: Hash64,
): Buffer {
  const { salt } = header;
  let offset = SEGMENT_HEADER_BYTES;
  const moved = chunks.map(({ header: old, stored, entries }) => {
    const chunk = { ...old, offset, plainChecksum: xxh64(packRecords(entries), salt) };
    offset = endOffset(chunk);
    return { header: encodeChunkHeader(chunk, salt, xxh64), stored };
  });
  const entries = chunks.flatMap((chunk) => chunk.entries);
  const { endChain } = chunks.at(-1)!.header;
  return joinChunks(header, moved, entries, { level, endChain }, xxh64);
}

/** Whether the chains in the chunks' headers fit their events. If not, somebody edited them, and nothing is rebuilt. */
function isHistory({ chunks, prevChain }: Run): boolean {
  let chain = prevChain;
  for (const { entries, header } of chunks) {
    if (chain !== undefined) {
      const end = entries.reduce((before, entry) => chainOf(before, chainedBytes(entry)), chain);
      if (!end.equals(header.endChain)) return false;
    }
    chain = header.endChain;
  }
  return true;
}
