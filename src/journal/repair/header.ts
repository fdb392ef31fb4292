import type { Hash64 } from '../../platform/xxh64.ts';
import { readBigU64, readU32 } from '../format/bytes.ts';
import { decodeChunkHeader } from '../format/chunk.ts';
import {
  ID_BYTES,
  SEGMENT,
  SEGMENT_FLAG,
  SEGMENT_HEADER_BYTES,
  SEGMENT_MAGIC,
} from '../format/format.ts';
import { chainedBytes, chainOf, type Frame } from '../format/frame.ts';
import type { Hlc } from '../format/hlc.ts';
import type { SegmentFile } from '../format/layout.ts';
import { decodeSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { scanFrames } from '../read/scan.ts';
import { UNKNOWN_CHAIN } from './piece.ts';

/** What is known about a segment whose header is lost. */
export interface Surroundings {
  file: SegmentFile;
  journalId: string;
  /** Chain of the event before the segment's first one; undefined if unknown. */
  chainBefore: Buffer | undefined;
}

/** An origin that differs in at most this many bits is the own one, damaged. Random ones differ in about 64 of 128 bits. */
const ID_BITS_OFF_MAX = 16;
/** Distinct bytes of a real origin, at least: damage often leaves zeros or one repeated byte. */
const ID_DISTINCT_MIN = 4;
/** Magic number and header length are damaged if they differ in more bits than this, of 80. */
const MAGIC_BITS_OFF_MAX = 8;

/**
 * Whether a segment with an unusable header is another journal's. The origin in the header is compared only if the chain before
 * is unknown: else the chain tells.
 */
export function isForeign(
  bytes: Buffer,
  { file, chainBefore }: Surroundings,
  xxh64: Hash64,
): boolean {
  // A sound header that does not match the file is another segment's.
  if (decodeSegmentHeader(bytes, xxh64) !== undefined) return true;
  if (chainBefore !== undefined) return false;
  if (bitsOff(bytes, SEGMENT.magic, MAGIC) > MAGIC_BITS_OFF_MAX) return false;
  const stored = bytes.subarray(SEGMENT.originId, SEGMENT.originId + ID_BYTES);
  if (new Set(stored).size < ID_DISTINCT_MIN) return false;
  return bitsOff(bytes, SEGMENT.originId, Buffer.from(file.origin, 'hex')) > ID_BITS_OFF_MAX;
}

const MAGIC = Buffer.from([...SEGMENT_MAGIC, SEGMENT_HEADER_BYTES, 0]);

/** In how many bits the bytes at `at` differ from the expected ones. */
function bitsOff(bytes: Buffer, at: number, expected: Buffer): number {
  let off = 0;
  for (const [index, byte] of expected.entries())
    for (let rest = byte ^ (bytes[at + index] ?? 0); rest > 0; rest &= rest - 1) off += 1;
  return off;
}

/**
 * Rebuilds a lost header. Journal, origin, first seq and chain are known from the files around it. The salt is only in the old
 * header: it is right if a checksum in the file is right with it.
 * @returns undefined if the salt is lost, too, or the events are from another history
 */
export function rebuildHeader(
  bytes: Buffer,
  { file, journalId, chainBefore }: Surroundings,
  xxh64: Hash64,
): SegmentHeader | undefined {
  if (bytes.length <= SEGMENT_HEADER_BYTES) return undefined;
  const header: SegmentHeader = {
    flags: file.sealed ? SEGMENT_FLAG.sealed : 0,
    journalId: Buffer.from(journalId, 'hex'),
    originId: Buffer.from(file.origin, 'hex'),
    firstSeq: file.firstSeq,
    baseHlc: { ms: 0, count: 0 },
    prevChain: UNKNOWN_CHAIN,
    salt: readBigU64(bytes, SEGMENT.salt),
  };
  const found = firstIn(bytes, header, file, xxh64);
  // Frames of another history do not belong here.
  const prevChain = found && chainOfStart(bytes, header, found.first, chainBefore);
  if (prevChain === undefined) return undefined;
  return { ...header, flags: header.flags | flagsIn(bytes), baseHlc: found!.hlc, prevChain };
}

interface Found {
  /** The first frame of a raw segment; it may not be the segment's first. */
  first: Frame | undefined;
  hlc: Hlc;
}

/** Undefined if no checksum in the file is right with the header's salt. */
function firstIn(
  bytes: Buffer,
  header: SegmentHeader,
  file: SegmentFile,
  xxh64: Hash64,
): Found | undefined {
  if (file.sealed) {
    const at = SEGMENT_HEADER_BYTES;
    const chunk = decodeChunkHeader(bytes.subarray(at), header.salt, xxh64, at);
    return chunk && { first: undefined, hlc: chunk.firstHlc };
  }
  for (const { entry } of scanFrames(bytes, header, xxh64))
    if (entry !== undefined) return { first: entry, hlc: entry.hlc };
  return undefined;
}

/** Nothing else tells this flag, and a wrong one does no harm. */
const flagsIn = (bytes: Buffer): number =>
  readU32(bytes, SEGMENT.flags) === SEGMENT_FLAG.afterDamage ? SEGMENT_FLAG.afterDamage : 0;

/**
 * The chain before the segment's first event: the known one, else the one in the old header.
 * @returns undefined if the first frame does not follow it
 */
function chainOfStart(
  bytes: Buffer,
  header: SegmentHeader,
  first: Frame | undefined,
  chainBefore: Buffer | undefined,
): Buffer | undefined {
  const known = header.firstSeq === 1 ? UNKNOWN_CHAIN : chainBefore;
  // A sealed segment's chain is checked later, with its events.
  if (first === undefined) return known ?? UNKNOWN_CHAIN;
  if (first.seq !== header.firstSeq) return undefined;
  const stored = Buffer.from(bytes.subarray(SEGMENT.prevChain, SEGMENT.salt));
  const chained = chainedBytes(first);
  return [known, known === undefined ? stored : undefined].find(
    (one) => one !== undefined && chainOf(one, chained).equals(first.chain),
  );
}
