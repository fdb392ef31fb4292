import type { Decoders } from '../../platform/codecs/codecs.ts';
import type { Hash64 } from '../../platform/xxh64.ts';
import { readBigU64, readU64 } from '../format/bytes.ts';
import { type ChunkHeader, decodeChunk, decodeChunkHeader } from '../format/chunk.ts';
import { decodeFooter, type Footer } from '../format/footer.ts';
import {
  CHUNK,
  CHUNK_HEADER_BYTES,
  ID_PREFIX_BYTES,
  SEGMENT_HEADER_BYTES,
} from '../format/format.ts';
import type { Entry } from '../format/frame.ts';
import type { SegmentHeader } from '../format/segment.ts';
import type { Damage } from './scan.ts';

/** Where the parts of a sealed segment are. No chunk is unpacked yet. */
export interface SealedSegment {
  header: SegmentHeader;
  footer: Footer | undefined;
  chunks: ChunkHeader[];
  /** Damage found so far. Listed chunks may still be readable. */
  damage: Damage[];
}

export function openSealed(bytes: Buffer, header: SegmentHeader, xxh64: Hash64): SealedSegment {
  const footer = decodeFooter(bytes, xxh64);
  const listed = footer && listedChunks(indexOf(bytes, footer), header, footer, xxh64);
  if (listed !== undefined) return { header, footer, chunks: listed, damage: [] };
  // Index or footer are damaged: look for the chunks by their own headers.
  const chunks = findChunks(bytes, header, xxh64);
  const end = chunks.at(-1);
  const offset = end === undefined ? SEGMENT_HEADER_BYTES : endOffset(end);
  const damage: Damage[] = [];
  let next = header.firstSeq;
  let at = SEGMENT_HEADER_BYTES;
  for (const chunk of chunks) {
    if (chunk.firstSeq > next) damage.push(lostChunks(at, chunk.offset, next, chunk.firstSeq - 1));
    next = chunk.firstSeq + chunk.count;
    at = endOffset(chunk);
  }
  // Without a footer only the next segment's name tells whether there was more.
  const isLost = footer === undefined ? end === undefined : footer.lastSeq >= next;
  const lost = {
    firstSeq: isLost ? next : null,
    lastSeq: isLost ? (footer?.lastSeq ?? null) : null,
  };
  damage.push({ kind: 'index', offset, bytes: bytes.length - offset, ...lost });
  return { header, footer, chunks, damage };
}

export const endOffset = (chunk: ChunkHeader): number =>
  chunk.offset + CHUNK_HEADER_BYTES + chunk.storedBytes;

const lostChunks = (from: number, to: number, firstSeq: number, lastSeq: number): Damage => ({
  kind: 'chunk',
  offset: from,
  bytes: to - from,
  firstSeq,
  lastSeq,
});

/** Behind the index and behind the id table. */
export const SUM_BYTES = 8;

function withoutSum(part: Buffer, length: number, salt: bigint, xxh64: Hash64): Buffer | undefined {
  if (part.length !== length + SUM_BYTES) return undefined;
  const content = part.subarray(0, length);
  return xxh64(content, salt) === readBigU64(part, length) ? content : undefined;
}

/** Size of the index with its checksum. */
export const indexBytes = ({ chunks }: Footer): number => chunks * CHUNK_HEADER_BYTES + SUM_BYTES;

const indexOf = (bytes: Buffer, footer: Footer): Buffer =>
  bytes.subarray(footer.indexOffset, footer.indexOffset + indexBytes(footer));

/**
 * @param stored the index with its checksum
 * @returns undefined if the index is damaged
 */
export function listedChunks(
  stored: Buffer,
  header: SegmentHeader,
  footer: Footer,
  xxh64: Hash64,
): ChunkHeader[] | undefined {
  const length = footer.chunks * CHUNK_HEADER_BYTES;
  const index = withoutSum(stored, length, header.salt, xxh64);
  if (index === undefined) return undefined;
  const chunks: ChunkHeader[] = [];
  let offset = SEGMENT_HEADER_BYTES;
  let next = header.firstSeq;
  for (let at = 0; at < index.length; at += CHUNK_HEADER_BYTES) {
    const bytesOf = index.subarray(at, at + CHUNK_HEADER_BYTES);
    const chunk = decodeChunkHeader(bytesOf, header.salt, xxh64, offset);
    if (chunk?.firstSeq !== next) return undefined;
    chunks.push(chunk);
    offset = endOffset(chunk);
    next += chunk.count;
  }
  return offset === footer.indexOffset ? chunks : undefined;
}

const headerAt = (bytes: Buffer, offset: number): Buffer =>
  bytes.subarray(offset, offset + CHUNK_HEADER_BYTES);

/** Chunks whose own header differs from its copy in the index; none if the index itself is damaged. */
export function chunksMarred(
  bytes: Buffer,
  { footer, chunks, damage }: SealedSegment,
): ChunkHeader[] {
  if (footer === undefined || damage.length > 0) return [];
  const isCopy = (offset: number, index: number) =>
    headerAt(bytes, offset).equals(
      headerAt(bytes, footer.indexOffset + index * CHUNK_HEADER_BYTES),
    );
  return chunks.filter(({ offset }, index) => !isCopy(offset, index));
}

/** Searches chunks by their own headers, which hold their offset: the copies in the index do not match. */
export function findChunks(bytes: Buffer, header: SegmentHeader, xxh64: Hash64): ChunkHeader[] {
  const chunks: ChunkHeader[] = [];
  let offset = SEGMENT_HEADER_BYTES;
  let next = header.firstSeq;
  while (offset + CHUNK_HEADER_BYTES <= bytes.length) {
    const chunk =
      readU64(bytes, offset + CHUNK.offset) === offset
        ? decodeChunkHeader(bytes.subarray(offset), header.salt, xxh64, offset)
        : undefined;
    if (chunk !== undefined && chunk.firstSeq >= next && endOffset(chunk) <= bytes.length) {
      chunks.push(chunk);
      offset = endOffset(chunk);
      next = chunk.firstSeq + chunk.count;
    } else offset += 1;
  }
  return chunks;
}

/** The entries of one chunk, or damage in place of them. */
export function readChunk(
  bytes: Buffer,
  sealed: SealedSegment,
  chunk: ChunkHeader,
  decoders: Decoders,
  xxh64: Hash64,
): { entries: Entry[]; damage?: never } | { damage: Damage; entries?: never } {
  const start = chunk.offset + CHUNK_HEADER_BYTES;
  const stored = bytes.subarray(start, start + chunk.storedBytes);
  const entries = unpackChunk(stored, chunk, sealed.header, decoders, xxh64);
  if (entries !== undefined) return { entries };
  const { offset, firstSeq } = chunk;
  const bytesLost = CHUNK_HEADER_BYTES + chunk.storedBytes;
  const lastSeq = firstSeq + chunk.count - 1;
  return { damage: { kind: 'chunk', offset, bytes: bytesLost, firstSeq, lastSeq } };
}

/** Undefined if anything in it is damaged: a chunk is lost as a whole. */
export function unpackChunk(
  stored: Buffer,
  chunk: ChunkHeader,
  { salt }: SegmentHeader,
  decoders: Decoders,
  xxh64: Hash64,
): Entry[] | undefined {
  try {
    return decodeChunk(stored, chunk, salt, decoders, xxh64);
  } catch {
    return undefined;
  }
}

/**
 * Looks an id's first 8 bytes up in the sorted table, without unpacking a chunk.
 * @returns undefined when the table or the footer is damaged
 */
export function mayContainId(
  bytes: Buffer,
  { header, footer }: Pick<SealedSegment, 'header' | 'footer'>,
  id: Buffer,
  xxh64: Hash64,
): boolean | undefined {
  if (footer === undefined) return undefined;
  const length = footer.count * ID_PREFIX_BYTES;
  const stored = bytes.subarray(footer.idsOffset, footer.idsOffset + length + SUM_BYTES);
  const table = withoutSum(stored, length, header.salt, xxh64);
  if (table === undefined) return undefined;
  const wanted = id.readBigUInt64BE(0);
  let low = 0;
  let high = footer.count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = table.readBigUInt64BE(middle * ID_PREFIX_BYTES);
    if (found === wanted) return true;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
