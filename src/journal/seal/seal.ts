import type { Codec } from '../../platform/codecs/codecs.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Hash64 } from '../../platform/xxh64.ts';
import { writeBigU64 } from '../format/bytes.ts';
import { encodeChunk, recordBytes } from '../format/chunk.ts';
import { decodeHead } from '../format/envelope.ts';
import { encodeFooter, type Footer } from '../format/footer.ts';
import {
  CHUNK_BYTES_TARGET,
  CHUNK_RECORDS_TARGET,
  FRAME_KIND,
  ID_PREFIX_BYTES,
  SEGMENT_FLAG,
  SEGMENT_HEADER_BYTES,
} from '../format/format.ts';
import { chainedBytes, chainOf, type Entry } from '../format/frame.ts';
import { encodeSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { type Anchor, anchoredAt } from '../read/whole.ts';

/** Zstd levels: 3 when a segment is sealed, 19 when a person asks for a compaction. */
export const LEVEL_SEAL = 3;
export const LEVEL_COMPACT = 19;

/**
 * Encodes a closed segment: header, chunks, index, id table, footer. Drops only what can be computed again.
 * @param anchor if the chain before the first entry is lost: its entries get a chunk of their own
 */
export function sealSegment(
  header: SegmentHeader,
  entries: readonly Entry[],
  level: number,
  zstd: Codec,
  xxh64: Hash64,
  anchor?: Anchor,
): Buffer {
  const sealed = { ...header, flags: header.flags | SEGMENT_FLAG.sealed };
  const chunks: { header: Buffer; stored: Buffer }[] = [];
  let offset = SEGMENT_HEADER_BYTES;
  let chain = header.prevChain;
  let done = 0;
  for (const chunk of inChunks(entries, anchor?.count ?? 0)) {
    for (const [index, entry] of chunk.entries())
      chain = anchoredAt(anchor, done + index) ?? chainOf(chain, chainedBytes(entry));
    const about = { offset, ...timesOf(chunk), endChain: chain, level };
    const encoded = encodeChunk(chunk, about, zstd, xxh64, header.salt);
    chunks.push(encoded);
    offset += encoded.header.length + encoded.stored.length;
    done += chunk.length;
  }
  return joinChunks(sealed, chunks, entries, { level, endChain: chain }, xxh64);
}

/** A sealed segment of chunks that are encoded already, with the entries in them. */
export function joinChunks(
  header: SegmentHeader,
  chunks: readonly { header: Buffer; stored: Buffer }[],
  entries: readonly Entry[],
  { level, endChain }: Pick<Footer, 'level' | 'endChain'>,
  xxh64: Hash64,
): Buffer {
  const stored = chunks.flatMap((chunk) => [chunk.header, chunk.stored]);
  const parts = [encodeSegmentHeader(header, xxh64), ...stored];
  const indexOffset = parts.reduce((sum, { length }) => sum + length, 0);
  const index = Buffer.concat(chunks.map((chunk) => chunk.header));
  const indexBlock = summed(index, header.salt, xxh64);
  const idsBlock = summed(idPrefixes(entries), header.salt, xxh64);
  parts.push(indexBlock, idsBlock);
  const last = entries.at(-1)!;
  const footer = encodeFooter(
    {
      lastSeq: last.seq,
      lastHlc: last.hlc,
      count: entries.length,
      chunks: chunks.length,
      indexOffset,
      idsOffset: indexOffset + indexBlock.length,
      level,
      endChain,
      digest: sha256(...parts),
    },
    xxh64,
  );
  return Buffer.concat([...parts, footer]);
}

/** @param apart so many of the first ones are one chunk, whatever their size */
function* inChunks(entries: readonly Entry[], apart: number): Generator<Entry[]> {
  let chunk: Entry[] = [];
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    const size = recordBytes(entry);
    const isFull = chunk.length === CHUNK_RECORDS_TARGET || bytes + size > CHUNK_BYTES_TARGET;
    if (chunk.length > 0 && (index === apart || (index > apart && isFull))) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(entry);
    bytes += size;
  }
  yield chunk;
}

/** Earliest and latest `at`: lets a search by time pass a chunk by. */
function timesOf(chunk: readonly Entry[]): { minAt: number; maxAt: number } {
  let minAt = Number.POSITIVE_INFINITY;
  let maxAt = 0;
  for (const entry of chunk) {
    const at = timeOf(entry);
    if (at === undefined) continue;
    minAt = Math.min(minAt, at);
    maxAt = Math.max(maxAt, at);
  }
  return maxAt === 0 ? { minAt: 0, maxAt: 0 } : { minAt, maxAt };
}

/** Undefined if the event has no time that fits; a body of any other form is not the journal's concern. */
function timeOf(entry: Entry): number | undefined {
  if (entry.kind !== FRAME_KIND.event) return undefined;
  try {
    const { at } = decodeHead(entry.payload);
    return at !== null && Number.isSafeInteger(at) && at > 0 ? at : undefined;
  } catch {
    return undefined;
  }
}

/** What the id table holds. */
export function idPrefixes(entries: readonly Entry[]): Buffer {
  const prefixes = entries
    .map((entry) => entry.id.readBigUInt64BE(0))
    .sort((a, b) => (a < b ? -1 : 1));
  const bytes = Buffer.alloc(prefixes.length * ID_PREFIX_BYTES);
  prefixes.forEach((prefix, index) => {
    bytes.writeBigUInt64BE(prefix, index * ID_PREFIX_BYTES);
  });
  return bytes;
}

function summed(bytes: Buffer, salt: bigint, xxh64: Hash64): Buffer {
  const sum = Buffer.alloc(8);
  writeBigU64(sum, xxh64(bytes, salt), 0);
  return Buffer.concat([bytes, sum]);
}
