import { createHash } from 'node:crypto';
import {
  CHUNK,
  CHUNK_HEADER_BYTES,
  FOOTER,
  FOOTER_BYTES,
  HASH_BYTES,
  ID_PREFIX_BYTES,
  SEGMENT,
  SEGMENT_HEADER_BYTES,
} from '../../src/journal/format/format.ts';
import { sealSegment } from '../../src/journal/seal/seal.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import type { Segment } from './compose.ts';

/** A codec that never shrinks anything: chunks are stored as they are. */
export const storing: Codec = { compress: () => undefined };

/** The sealed form of a segment. */
export function sealed(made: Segment, codec: Codec, level = 3): Segment {
  const bytes = sealSegment(made.header, made.entries, level, codec, xxh64);
  const same = putTogether(takeApart(bytes));
  if (!same.equals(bytes)) throw new Error('the generator does not know how a segment is sealed');
  return { ...made, name: `${made.name}z`, bytes, places: [] };
}

export interface Chunk {
  header: Buffer;
  stored: Buffer;
}

/** A sealed segment in its parts, to edit. */
export interface Parts {
  header: Buffer;
  chunks: Chunk[];
  ids: Buffer;
  footer: Buffer;
}

/** Copies of everything, so that edits stay where they are made. */
export function takeApart(bytes: Buffer): Parts {
  const footer = Buffer.from(bytes.subarray(bytes.length - FOOTER_BYTES));
  const chunks: Chunk[] = [];
  let at = SEGMENT_HEADER_BYTES;
  for (let left = footer.readUInt32LE(FOOTER.chunks); left > 0; left -= 1) {
    const header = Buffer.from(bytes.subarray(at, at + CHUNK_HEADER_BYTES));
    const end = at + CHUNK_HEADER_BYTES + header.readUInt32LE(CHUNK.storedBytes);
    chunks.push({ header, stored: Buffer.from(bytes.subarray(at + CHUNK_HEADER_BYTES, end)) });
    at = end;
  }
  const idsStart = Number(footer.readBigUInt64LE(FOOTER.idsOffset));
  const idsBytes = footer.readUInt32LE(FOOTER.count) * ID_PREFIX_BYTES;
  return {
    header: Buffer.from(bytes.subarray(0, SEGMENT_HEADER_BYTES)),
    chunks,
    ids: Buffer.from(bytes.subarray(idsStart, idsStart + idsBytes)),
    footer,
  };
}

/**
 * Puts the parts together and makes every checksum and offset good again: what an attacker would do.
 * @param listed the chunks that the index names, when it is to lie
 */
export function putTogether(parts: Parts, listed = parts.chunks): Buffer {
  const salt = parts.header.readBigUInt64LE(SEGMENT.salt);
  let offset = SEGMENT_HEADER_BYTES;
  const out: Buffer[] = [parts.header];
  for (const { header, stored } of parts.chunks) {
    header.writeBigUInt64LE(BigInt(offset), CHUNK.offset);
    header.writeUInt32LE(stored.length, CHUNK.storedBytes);
    header.writeBigUInt64LE(xxh64(header.subarray(0, CHUNK.checksum), salt), CHUNK.checksum);
    out.push(header, stored);
    offset += header.length + stored.length;
  }
  const index = summed(Buffer.concat(listed.map((chunk) => chunk.header)), salt);
  const ids = summed(parts.ids, salt);
  out.push(index, ids);
  const footer = Buffer.from(parts.footer);
  footer.writeUInt32LE(parts.chunks.length, FOOTER.chunks);
  footer.writeBigUInt64LE(BigInt(offset), FOOTER.indexOffset);
  footer.writeBigUInt64LE(BigInt(offset + index.length), FOOTER.idsOffset);
  const digest = createHash('sha256').update(Buffer.concat(out)).digest();
  footer.set(digest.subarray(0, HASH_BYTES), FOOTER.digest);
  footer.writeBigUInt64LE(xxh64(footer.subarray(0, FOOTER.checksum), 0n), FOOTER.checksum);
  return Buffer.concat([...out, footer]);
}

function summed(bytes: Buffer, salt: bigint): Buffer {
  const sum = Buffer.alloc(8);
  sum.writeBigUInt64LE(xxh64(bytes, salt));
  return Buffer.concat([bytes, sum]);
}

/** Sets a chunk's plain bytes: stored as given, described as `plain`. */
export function describe(chunk: Chunk, plain: Buffer, salt: bigint): void {
  chunk.header.writeUInt32LE(plain.length, CHUNK.plainBytes);
  chunk.header.writeBigUInt64LE(xxh64(plain, salt), CHUNK.plainChecksum);
}

/** Where the parts of a sealed segment stand. */
export interface SealedPlaces {
  chunks: { offset: number; firstSeq: number; lastSeq: number }[];
  indexOffset: number;
  idsOffset: number;
  footerOffset: number;
}

export function placesOf(bytes: Buffer): SealedPlaces {
  const parts = takeApart(bytes);
  return {
    chunks: parts.chunks.map(({ header }) => {
      const firstSeq = Number(header.readBigUInt64LE(CHUNK.firstSeq));
      return {
        offset: Number(header.readBigUInt64LE(CHUNK.offset)),
        firstSeq,
        lastSeq: firstSeq + header.readUInt32LE(CHUNK.count) - 1,
      };
    }),
    indexOffset: Number(parts.footer.readBigUInt64LE(FOOTER.indexOffset)),
    idsOffset: Number(parts.footer.readBigUInt64LE(FOOTER.idsOffset)),
    footerOffset: bytes.length - FOOTER_BYTES,
  };
}
