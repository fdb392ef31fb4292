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

/** What stands around a segment whose header is lost. */
export interface Surroundings {
  file: SegmentFile;
  journalId: string;
  /** Chain of the event before the segment's first one; undefined when nobody knows it. */
  chainBefore: Buffer | undefined;
}

/** Bits in which an origin may differ and still be the own one, damaged. Two that are random differ in 64 of 128, hardly ever in less than 30. */
const ID_BITS_OFF_MAX = 16;
/** Different bytes in an origin, at least: zeros, and what else damage fills a place with, are nobody's. */
const ID_DISTINCT_MIN = 4;
/** Bits in which the magic number and the header's length may differ, of 80. */
const MAGIC_BITS_OFF_MAX = 8;

/**
 * Whether a segment whose header is not believed is another journal's, or another history's, as far as the header says so.
 * Its origin is asked where no chain will be: any journal's first events follow on nothing.
 */
export function isForeign(
  bytes: Buffer,
  { file, chainBefore }: Surroundings,
  xxh64: Hash64,
): boolean {
  // A sound one belongs somewhere else, and its events with it.
  if (decodeSegmentHeader(bytes, xxh64) !== undefined) return true;
  if (chainBefore !== undefined) return false;
  if (bitsOff(bytes, SEGMENT.magic, MAGIC) > MAGIC_BITS_OFF_MAX) return false;
  const stored = bytes.subarray(SEGMENT.originId, SEGMENT.originId + ID_BYTES);
  if (new Set(stored).size < ID_DISTINCT_MIN) return false;
  return bitsOff(bytes, SEGMENT.originId, Buffer.from(file.origin, 'hex')) > ID_BITS_OFF_MAX;
}

const MAGIC = Buffer.from([...SEGMENT_MAGIC, SEGMENT_HEADER_BYTES, 0]);

/** In how many bits the bytes there are not the expected ones. */
function bitsOff(bytes: Buffer, at: number, expected: Buffer): number {
  let off = 0;
  for (const [index, byte] of expected.entries())
    for (let rest = byte ^ (bytes[at + index] ?? 0); rest > 0; rest &= rest - 1) off += 1;
  return off;
}

/**
 * A lost header, made anew: the journal, the origin, the first seq and the chain are known from what stands around the
 * segment. The salt stands nowhere else: it is believed where sums in the file hold with it.
 * @returns undefined where the salt is lost, too, or what is there is another history
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
  // Whole frames of another history are no part of this one.
  const prevChain = found && chainOfStart(bytes, header, found.first, chainBefore);
  if (prevChain === undefined) return undefined;
  return { ...header, flags: header.flags | flagsIn(bytes), baseHlc: found!.hlc, prevChain };
}

interface Found {
  /** The first frame of a raw segment; it may not be the segment's first. */
  first: Frame | undefined;
  hlc: Hlc;
}

/** Undefined where no sum in the file holds with the header's salt. */
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

/** The one flag that nothing else tells, and that harms nobody when it is wrong. */
const flagsIn = (bytes: Buffer): number =>
  readU32(bytes, SEGMENT.flags) === SEGMENT_FLAG.afterDamage ? SEGMENT_FLAG.afterDamage : 0;

/**
 * What is known around the segment, else what still stands in it.
 * @returns undefined where the first frame does not follow on it
 */
function chainOfStart(
  bytes: Buffer,
  header: SegmentHeader,
  first: Frame | undefined,
  chainBefore: Buffer | undefined,
): Buffer | undefined {
  const known = header.firstSeq === 1 ? UNKNOWN_CHAIN : chainBefore;
  // Of a sealed segment this is checked with its events.
  if (first === undefined) return known ?? UNKNOWN_CHAIN;
  if (first.seq !== header.firstSeq) return undefined;
  const stored = Buffer.from(bytes.subarray(SEGMENT.prevChain, SEGMENT.salt));
  const chained = chainedBytes(first);
  return [known, known === undefined ? stored : undefined].find(
    (one) => one !== undefined && chainOf(one, chained).equals(first.chain),
  );
}
