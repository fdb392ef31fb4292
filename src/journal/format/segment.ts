import { Ben10Error } from '../../platform/errors.ts';
import type { Hash64 } from '../../platform/xxh64.ts';
import {
  copyOf,
  isZero,
  readBigU64,
  readU16,
  readU32,
  readU64,
  writeBigU64,
  writeU16,
  writeU32,
  writeU64,
} from './bytes.ts';
import { flip, flippedBit } from './flip.ts';
import {
  FORMAT_MAJOR,
  FORMAT_MINOR,
  HASH_BYTES,
  ID_BYTES,
  SEGMENT,
  SEGMENT_FLAG,
  SEGMENT_HEADER_BYTES,
  SEGMENT_MAGIC,
} from './format.ts';
import { type Hlc, readHlc, writeHlc } from './hlc.ts';

/** What the first 128 bytes of every segment say. */
export interface SegmentHeader {
  flags: number;
  journalId: Buffer;
  originId: Buffer;
  firstSeq: number;
  baseHlc: Hlc;
  /** The chain of the event before this segment's first one; 32 zero bytes at the very start. */
  prevChain: Buffer;
  /** Seeds every checksum in the file, so that bytes pasted from another one never validate. */
  salt: bigint;
}

export function encodeSegmentHeader(header: SegmentHeader, xxh64: Hash64): Buffer {
  const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
  bytes.set(SEGMENT_MAGIC, SEGMENT.magic);
  writeU16(bytes, SEGMENT_HEADER_BYTES, SEGMENT.headerBytes);
  writeU16(bytes, FORMAT_MINOR, SEGMENT.formatMinor);
  writeU32(bytes, header.flags, SEGMENT.flags);
  bytes.set(header.journalId, SEGMENT.journalId);
  bytes.set(header.originId, SEGMENT.originId);
  writeU64(bytes, header.firstSeq, SEGMENT.firstSeq);
  writeHlc(bytes, header.baseHlc, SEGMENT.baseHlc);
  bytes.set(header.prevChain, SEGMENT.prevChain);
  writeBigU64(bytes, header.salt, SEGMENT.salt);
  writeBigU64(bytes, xxh64(bytes.subarray(0, SEGMENT.checksum), 0n), SEGMENT.checksum);
  return bytes;
}

/** Undefined if the bytes are not a sound header of a known format. */
export function decodeSegmentHeader(bytes: Buffer, xxh64: Hash64): SegmentHeader | undefined {
  if (bytes.length < SEGMENT_HEADER_BYTES) return undefined;
  const header = bytes.subarray(0, SEGMENT_HEADER_BYTES);
  if (!header.subarray(0, SEGMENT_MAGIC.length).equals(SEGMENT_MAGIC)) return undefined;
  const sum = xxh64(header.subarray(0, SEGMENT.checksum), 0n);
  if (sum !== readBigU64(header, SEGMENT.checksum)) return undefined;
  const flags = readU32(header, SEGMENT.flags);
  const known = SEGMENT_FLAG.afterDamage | SEGMENT_FLAG.sealed;
  if ((flags & ~known) !== 0) return undefined;
  if (readU16(header, SEGMENT.headerBytes) !== SEGMENT_HEADER_BYTES) return undefined;
  if (!isZero(header.subarray(SEGMENT.reserved, SEGMENT.checksum))) return undefined;
  return fieldsOf(header);
}

/** Whether readers skip the segment: a later version wrote it, so seq and chain behind it are unknown. */
export const isSkipped = (header: SegmentHeader | undefined): boolean =>
  ((header?.flags ?? 0) & SEGMENT_FLAG.skip) !== 0;

function fieldsOf(header: Buffer): SegmentHeader {
  return {
    flags: readU32(header, SEGMENT.flags),
    journalId: copyOf(header.subarray(SEGMENT.journalId, SEGMENT.journalId + ID_BYTES)),
    originId: copyOf(header.subarray(SEGMENT.originId, SEGMENT.originId + ID_BYTES)),
    firstSeq: readU64(header, SEGMENT.firstSeq),
    baseHlc: readHlc(header, SEGMENT.baseHlc),
    prevChain: copyOf(header.subarray(SEGMENT.prevChain, SEGMENT.prevChain + HASH_BYTES)),
    salt: readBigU64(header, SEGMENT.salt),
  };
}

/**
 * The header, also if one of its bits flipped: the 64-bit checksum tells which. @returns undefined if it is lost
 * @throws Ben10Error JOURNAL_FOREIGN when a later ben10 wrote it
 */
export function readSegmentHeader(
  bytes: Buffer,
  path: string,
  xxh64: Hash64,
): { header: SegmentHeader; mended: boolean } | undefined {
  const header = decodeSegmentHeader(bytes, xxh64);
  if (header !== undefined) return { header, mended: false };
  if (bytes.length < SEGMENT_HEADER_BYTES) return undefined;
  const mended = withoutFlip(bytes.subarray(0, SEGMENT_HEADER_BYTES), xxh64);
  if (mended !== undefined) return { header: mended, mended: true };
  if (!isNewer(bytes, xxh64)) return undefined;
  const later = fieldsOf(bytes);
  const isOfThisMajor = bytes[SEGMENT_MAGIC.length - 1] === FORMAT_MAJOR;
  if (isOfThisMajor && isSkipped(later) && (later.flags & SEGMENT_FLAG.sealed) === 0)
    return { header: later, mended: false };
  throw newerFormat(path, 'this segment');
}

/** Tries each bit: 960 short checksums, about a millisecond. */
function withoutFlip(damaged: Buffer, xxh64: Hash64): SegmentHeader | undefined {
  const copy = Buffer.from(damaged);
  const fields = copy.subarray(0, SEGMENT.checksum);
  const wanted = readBigU64(copy, SEGMENT.checksum);
  const sum = xxh64(fields, 0n);
  const off = sum ^ wanted;
  if ((off & (off - 1n)) === 0n) {
    // Only the checksum is damaged, or no bit at all: then a field is unknown, not damaged.
    writeBigU64(copy, sum, SEGMENT.checksum);
    return decodeSegmentHeader(copy, xxh64);
  }
  const bit = flippedBit(fields, () => xxh64(fields, 0n) === wanted);
  if (bit === undefined) return undefined;
  flip(copy, bit);
  return decodeSegmentHeader(copy, xxh64);
}

/**
 * A later version says so in the magic or in unknown fields, under a right checksum: a rotten byte must not close the
 * journal.
 */
function isNewer(bytes: Buffer, xxh64: Hash64): boolean {
  const name = SEGMENT_MAGIC.length - 1;
  if (!bytes.subarray(0, name).equals(SEGMENT_MAGIC.subarray(0, name))) return false;
  const sum = xxh64(bytes.subarray(0, SEGMENT.checksum), 0n);
  return bytes[name]! >= FORMAT_MAJOR && sum === readBigU64(bytes, SEGMENT.checksum);
}

/** @param file undefined if unknown @param what is too new, without the verb: "this segment" */
export function newerFormat(file: string | undefined, what: string): Ben10Error {
  return new Ben10Error(
    'JOURNAL_FOREIGN',
    `${what} was written by a later ben10; this one knows format ${FORMAT_MAJOR}.${FORMAT_MINOR}`,
    {
      ...(file !== undefined && { place: { file } }),
      next: 'Update ben10: npm install -g ben10@latest',
    },
  );
}
