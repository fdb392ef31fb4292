import type { Hash64 } from '../../platform/xxh64.ts';
import { readBigU64, readU8, readU32, readU64, writeBigU64, writeU32 } from '../format/bytes.ts';
import { decodeFrame } from '../format/decode-frame.ts';
import { flip, flippedBit } from '../format/flip.ts';
import {
  FRAME,
  FRAME_END_MAGIC,
  FRAME_HEADER_BYTES,
  FRAME_KIND,
  FRAME_MAGIC,
  FRAME_TRAILER_BYTES,
  HASH_BYTES,
  SALT_BYTES,
  TRAILER,
} from '../format/format.ts';
import { commitOf, frameBytes } from '../format/frame.ts';
import type { SegmentHeader } from '../format/segment.ts';

/** Searching a flipped bit takes a checksum of the body per bit: about a second at this size. */
export const MEND_BODY_BYTES_MAX = 16 * 1024;

/**
 * Mends a frame in which one bit was flipped, or of which only padding and trailer are damaged. Checksums of 64 bits and a
 * commitment of 256 bits tell which bit it was.
 * @param segment changed in place on success, else unchanged
 * @returns the frame's length; undefined if it cannot be mended
 */
export function mendFrame(
  segment: Buffer,
  offset: number,
  { salt }: SegmentHeader,
  xxh64: Hash64,
): number | undefined {
  const isSound = (): boolean => !('problem' in decodeFrame(segment, offset, salt, xxh64));
  const known = headerLength(segment, offset, salt, xxh64);
  if (known === undefined) return mendHeader(segment, offset, salt, xxh64);
  if (offset + known > segment.length) return undefined;
  if (mendAround(segment, offset, known, salt, xxh64) || isSound()) return known;
  const bodyBytes = readU32(segment, offset + FRAME.bodyBytes);
  if (bodyBytes > MEND_BODY_BYTES_MAX) return undefined;
  const start = offset + FRAME_HEADER_BYTES;
  const body = segment.subarray(start, start + bodyBytes);
  const seed = salt ^ BigInt(readU64(segment, offset + FRAME.seq));
  const wanted = readBigU64(segment, offset + known - FRAME_TRAILER_BYTES + TRAILER.bodyChecksum);
  const bit = flippedBit(body, () => xxh64(body, seed) === wanted);
  if (bit === undefined) return undefined;
  flip(body, bit);
  if (isCommitted(segment, offset, bodyBytes) && isSound()) return known;
  flip(body, bit);
  return undefined;
}

/** Length of the frame at `offset`; undefined if its header is damaged. */
function headerLength(
  segment: Buffer,
  offset: number,
  salt: bigint,
  xxh64: Hash64,
): number | undefined {
  const frame = decodeFrame(segment, offset, salt, xxh64);
  return 'problem' in frame && frame.bytes === 0 ? undefined : frame.bytes;
}

/** Mends only the header; its checksum tells which bit it was. */
function mendHeader(
  segment: Buffer,
  offset: number,
  salt: bigint,
  xxh64: Hash64,
): number | undefined {
  if (offset + FRAME_HEADER_BYTES > segment.length) return undefined;
  const header = segment.subarray(offset, offset + FRAME_HEADER_BYTES);
  const fields = header.subarray(0, FRAME.checksum);
  const seed = salt ^ BigInt(offset);
  const isSummed = () => xxh64(fields, seed) === readBigU64(header, FRAME.checksum);
  const bit = isSummed() ? undefined : flippedBit(header, isSummed);
  if (bit === undefined) return undefined;
  flip(header, bit);
  const bytes = headerLength(segment, offset, salt, xxh64);
  if (bytes !== undefined && readU32(header, FRAME.magic) === FRAME_MAGIC) return bytes;
  flip(header, bit);
  return undefined;
}

/** Rebuilds padding, trailer and body checksum, if the commitment proves the body. */
function mendAround(
  segment: Buffer,
  offset: number,
  bytes: number,
  salt: bigint,
  xxh64: Hash64,
): boolean {
  const bodyBytes = readU32(segment, offset + FRAME.bodyBytes);
  if (!isCommitted(segment, offset, bodyBytes)) return false;
  const start = offset + FRAME_HEADER_BYTES;
  const trailer = offset + bytes - FRAME_TRAILER_BYTES;
  const seed = salt ^ BigInt(readU64(segment, offset + FRAME.seq));
  segment.fill(0, start + bodyBytes, trailer);
  const sum = xxh64(segment.subarray(start, start + bodyBytes), seed);
  writeBigU64(segment, sum, trailer + TRAILER.bodyChecksum);
  writeU32(segment, bytes, trailer + TRAILER.frameBytes);
  writeU32(segment, FRAME_END_MAGIC, trailer + TRAILER.endMagic);
  return true;
}

/** Whether the payload matches the commitment in the header. A tombstone has no payload. */
export function isCommitted(segment: Buffer, offset: number, bodyBytes: number): boolean {
  if (readU8(segment, offset + FRAME.kind) === FRAME_KIND.tombstone) return true;
  const start = offset + FRAME_HEADER_BYTES;
  const salt = segment.subarray(start, start + SALT_BYTES);
  const payload = segment.subarray(start + SALT_BYTES, start + bodyBytes);
  const commit = segment.subarray(offset + FRAME.commit, offset + FRAME.commit + HASH_BYTES);
  return commitOf(salt, payload).equals(commit);
}

/** A sound frame with the checksums of another place in another segment. Its chain does not change. */
export function moveFrame(frame: Buffer, offset: number, salt: bigint, xxh64: Hash64): Buffer {
  const moved = Buffer.from(frame);
  const seq = readU64(moved, FRAME.seq);
  const bodyBytes = readU32(moved, FRAME.bodyBytes);
  const body = moved.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + bodyBytes);
  const headerSum = xxh64(moved.subarray(0, FRAME.checksum), salt ^ BigInt(offset));
  writeBigU64(moved, headerSum, FRAME.checksum);
  const trailer = frameBytes(bodyBytes) - FRAME_TRAILER_BYTES;
  writeBigU64(moved, xxh64(body, salt ^ BigInt(seq)), trailer + TRAILER.bodyChecksum);
  return moved;
}
