import type { Hash64 } from '../platform/xxh64.ts';
import { isZero, readU64, writeU64 } from './bytes.ts';
import {
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
  bytes.writeUInt16LE(SEGMENT_HEADER_BYTES, SEGMENT.headerBytes);
  bytes.writeUInt16LE(FORMAT_MINOR, SEGMENT.formatMinor);
  bytes.writeUInt32LE(header.flags, SEGMENT.flags);
  bytes.set(header.journalId, SEGMENT.journalId);
  bytes.set(header.originId, SEGMENT.originId);
  writeU64(bytes, header.firstSeq, SEGMENT.firstSeq);
  writeHlc(bytes, header.baseHlc, SEGMENT.baseHlc);
  bytes.set(header.prevChain, SEGMENT.prevChain);
  bytes.writeBigUInt64LE(header.salt, SEGMENT.salt);
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, SEGMENT.checksum), 0n), SEGMENT.checksum);
  return bytes;
}

/** Undefined when the bytes are not a sound header of a format that this code knows. */
export function decodeSegmentHeader(bytes: Buffer, xxh64: Hash64): SegmentHeader | undefined {
  if (bytes.length < SEGMENT_HEADER_BYTES) return undefined;
  const header = bytes.subarray(0, SEGMENT_HEADER_BYTES);
  if (!header.subarray(0, SEGMENT_MAGIC.length).equals(SEGMENT_MAGIC)) return undefined;
  const sum = xxh64(header.subarray(0, SEGMENT.checksum), 0n);
  if (sum !== header.readBigUInt64LE(SEGMENT.checksum)) return undefined;
  const flags = header.readUInt32LE(SEGMENT.flags);
  const known = SEGMENT_FLAG.afterDamage | SEGMENT_FLAG.sealed;
  if ((flags & ~known) !== 0) return undefined;
  if (header.readUInt16LE(SEGMENT.headerBytes) !== SEGMENT_HEADER_BYTES) return undefined;
  if (!isZero(header.subarray(SEGMENT.reserved, SEGMENT.checksum))) return undefined;
  return {
    flags,
    journalId: Buffer.from(header.subarray(SEGMENT.journalId, SEGMENT.journalId + ID_BYTES)),
    originId: Buffer.from(header.subarray(SEGMENT.originId, SEGMENT.originId + ID_BYTES)),
    firstSeq: readU64(header, SEGMENT.firstSeq),
    baseHlc: readHlc(header, SEGMENT.baseHlc),
    prevChain: Buffer.from(header.subarray(SEGMENT.prevChain, SEGMENT.prevChain + HASH_BYTES)),
    salt: header.readBigUInt64LE(SEGMENT.salt),
  };
}
