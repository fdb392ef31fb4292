import { createHash } from 'node:crypto';
import {
  FOOTER,
  FOOTER_BYTES,
  FRAME,
  FRAME_HEADER_BYTES,
  FRAME_TRAILER_BYTES,
  SEGMENT,
  TRAILER,
} from '../../src/journal/format/format.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import type { Place } from './compose.ts';

/** Makes the segment header's checksum good again after an edit, in place. */
export function mendSegmentHeader(bytes: Buffer): Buffer {
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, SEGMENT.checksum), 0n), SEGMENT.checksum);
  return bytes;
}

/** The same for the header of the frame at `offset`. */
export function mendFrameHeader(bytes: Buffer, offset: number): Buffer {
  const salt = bytes.readBigUInt64LE(SEGMENT.salt);
  const sum = xxh64(bytes.subarray(offset, offset + FRAME.checksum), salt ^ BigInt(offset));
  bytes.writeBigUInt64LE(sum, offset + FRAME.checksum);
  return bytes;
}

/** The same for the body of a frame. */
export function mendFrameBody(bytes: Buffer, place: Place): Buffer {
  const salt = bytes.readBigUInt64LE(SEGMENT.salt);
  const start = place.offset + FRAME_HEADER_BYTES;
  const sum = xxh64(bytes.subarray(start, start + place.bodyBytes), salt ^ BigInt(place.seq));
  const trailer = place.offset + place.bytes - FRAME_TRAILER_BYTES;
  bytes.writeBigUInt64LE(sum, trailer + TRAILER.bodyChecksum);
  return bytes;
}

/** The same for the footer of a sealed segment. */
export function mendFooter(bytes: Buffer): Buffer {
  const footer = bytes.subarray(bytes.length - FOOTER_BYTES);
  footer.writeBigUInt64LE(xxh64(footer.subarray(0, FOOTER.checksum), 0n), FOOTER.checksum);
  return bytes;
}

/** The digest in the footer, then its checksum. */
export function mendDigest(bytes: Buffer): Buffer {
  const end = bytes.length - FOOTER_BYTES;
  bytes.set(createHash('sha256').update(bytes.subarray(0, end)).digest(), end + FOOTER.digest);
  return mendFooter(bytes);
}
