import type { Hash64 } from '../../platform/xxh64.ts';
import {
  isLaterMagic,
  isZero,
  readBigU64,
  readU8,
  readU32,
  readU64,
  writeBigU64,
  writeU8,
  writeU32,
  writeU64,
} from './bytes.ts';
import { FOOTER, FOOTER_BYTES, FOOTER_MAGIC, HASH_BYTES } from './format.ts';
import { type Hlc, readHlc, writeHlc } from './hlc.ts';
import { newerFormat } from './segment.ts';

/** The last 128 bytes of a sealed segment. */
export interface Footer {
  lastSeq: number;
  lastHlc: Hlc;
  count: number;
  chunks: number;
  indexOffset: number;
  idsOffset: number;
  /** Zstd level that the chunks were made with. */
  level: number;
  /** Chain of the last event. */
  endChain: Buffer;
  /** SHA-256 of everything before the footer. */
  digest: Buffer;
}

export function encodeFooter(footer: Footer, xxh64: Hash64): Buffer {
  const bytes = Buffer.alloc(FOOTER_BYTES);
  writeU64(bytes, footer.lastSeq, FOOTER.lastSeq);
  writeHlc(bytes, footer.lastHlc, FOOTER.lastHlc);
  writeU32(bytes, footer.count, FOOTER.count);
  writeU32(bytes, footer.chunks, FOOTER.chunks);
  writeU64(bytes, footer.indexOffset, FOOTER.indexOffset);
  writeU64(bytes, footer.idsOffset, FOOTER.idsOffset);
  writeU8(bytes, footer.level, FOOTER.level);
  bytes.set(footer.endChain, FOOTER.endChain);
  bytes.set(footer.digest, FOOTER.digest);
  writeBigU64(bytes, xxh64(bytes.subarray(0, FOOTER.checksum), 0n), FOOTER.checksum);
  bytes.set(FOOTER_MAGIC, FOOTER.magic);
  return bytes;
}

/**
 * @param file all of it, or its end @returns undefined if its last 128 bytes are not a sound footer
 * @throws Ben10Error JOURNAL_FOREIGN when a later version wrote it
 */
export function decodeFooter(file: Buffer, xxh64: Hash64): Footer | undefined {
  const bytes = file.subarray(-FOOTER_BYTES);
  if (bytes.length !== FOOTER_BYTES) return undefined;
  const isSummed = (seed: bigint) =>
    xxh64(bytes.subarray(0, FOOTER.checksum), seed) === readBigU64(bytes, FOOTER.checksum);
  const magic = bytes.subarray(FOOTER.magic);
  // No sum covers the magic, so a later version seeds the sum with its number: a flipped bit never passes for one.
  if (isLaterMagic(magic, FOOTER_MAGIC) && isSummed(BigInt(magic.at(-1)!)))
    throw newerFormat(undefined, 'a sealed segment');
  if (!magic.equals(FOOTER_MAGIC) || !isSummed(0n)) return undefined;
  if (!isZero(bytes.subarray(FOOTER.reserved, FOOTER.endChain))) return undefined;
  const lastSeq = readU64(bytes, FOOTER.lastSeq);
  if (!Number.isSafeInteger(lastSeq)) return undefined;
  return {
    lastSeq,
    lastHlc: readHlc(bytes, FOOTER.lastHlc),
    count: readU32(bytes, FOOTER.count),
    chunks: readU32(bytes, FOOTER.chunks),
    indexOffset: readU64(bytes, FOOTER.indexOffset),
    idsOffset: readU64(bytes, FOOTER.idsOffset),
    level: readU8(bytes, FOOTER.level),
    endChain: Buffer.from(bytes.subarray(FOOTER.endChain, FOOTER.endChain + HASH_BYTES)),
    digest: Buffer.from(bytes.subarray(FOOTER.digest, FOOTER.digest + HASH_BYTES)),
  };
}
