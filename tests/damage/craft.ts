import { createHash } from 'node:crypto';
import { encodeChunk } from '../../src/journal/format/chunk.ts';
import { encodeFooter } from '../../src/journal/format/footer.ts';
import {
  CHUNK_HEADER_BYTES,
  SEGMENT_FLAG,
  SEGMENT_HEADER_BYTES,
} from '../../src/journal/format/format.ts';
import { chainedBytes, chainOf, type Entry, encodeFrame } from '../../src/journal/format/frame.ts';
import { encodeSegmentHeader, type SegmentHeader } from '../../src/journal/format/segment.ts';
import { idPrefixes } from '../../src/journal/seal/seal.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import type { Hash64 } from '../../src/platform/xxh64.ts';
import { START_MS } from './entries.ts';

/** What belongs together in a file: a frame, or a chunk. What damages it may cost its events, and no others. */
export interface Stretch {
  start: number;
  end: number;
  firstSeq: number;
  lastSeq: number;
}

/** What a crafted segment holds. */
export interface Crafted {
  bytes: Buffer;
  chain: Buffer;
  stretches: Stretch[];
}

/** What stands in every header of a journal. */
export interface Names {
  /** 32 hex digits each. */
  journalId: string;
  origin: string;
}

export function namesOf(name: string, xxh64: Hash64): Names {
  const [a, b] = [xxh64(Buffer.from(name), 1_000n), xxh64(Buffer.from(name), 1_001n)];
  const hex = (one: bigint): string => one.toString(16).padStart(16, '0').repeat(2);
  return { journalId: hex(a), origin: hex(b) };
}

export function headerOf(
  { journalId, origin }: Names,
  firstSeq: number,
  prevChain: Buffer,
  salt: bigint,
): SegmentHeader {
  return {
    flags: 0,
    journalId: Buffer.from(journalId, 'hex'),
    originId: Buffer.from(origin, 'hex'),
    firstSeq,
    baseHlc: { ms: START_MS, count: 0 },
    prevChain,
    salt,
  };
}

export function craftActive(
  header: SegmentHeader,
  entries: readonly Entry[],
  xxh64: Hash64,
): Crafted {
  const parts = [encodeSegmentHeader(header, xxh64)];
  const stretches: Stretch[] = [];
  let offset = SEGMENT_HEADER_BYTES;
  let chain = header.prevChain;
  for (const entry of entries) {
    const place = { salt: header.salt, offset, previousChain: chain };
    const { frame, chain: next } = encodeFrame(entry, place, xxh64);
    parts.push(frame);
    const end = offset + frame.length;
    stretches.push({ start: offset, end, firstSeq: entry.seq, lastSeq: entry.seq });
    offset = end;
    chain = next;
  }
  return { bytes: Buffer.concat(parts), chain, stretches };
}

/** A sealed segment of small chunks: the writer's own are too large to damage each bit of several. */
export function craftSealed(
  header: SegmentHeader,
  chunks: readonly (readonly Entry[])[],
  zstd: Codec,
  xxh64: Hash64,
): Crafted {
  const sealed = { ...header, flags: header.flags | SEGMENT_FLAG.sealed };
  const parts = [encodeSegmentHeader(sealed, xxh64)];
  const index: Buffer[] = [];
  const stretches: Stretch[] = [];
  let offset = SEGMENT_HEADER_BYTES;
  let chain = header.prevChain;
  for (const entries of chunks) {
    for (const entry of entries) chain = chainOf(chain, chainedBytes(entry));
    const about = { offset, minAt: START_MS, maxAt: START_MS, endChain: chain, level: 3 };
    const encoded = encodeChunk(entries, about, zstd, xxh64, header.salt);
    parts.push(encoded.header, encoded.stored);
    index.push(encoded.header);
    const end = offset + CHUNK_HEADER_BYTES + encoded.stored.length;
    stretches.push({
      start: offset,
      end,
      firstSeq: entries[0]!.seq,
      lastSeq: entries.at(-1)!.seq,
    });
    offset = end;
  }
  const entries = chunks.flat();
  const indexBlock = summed(Buffer.concat(index), header.salt, xxh64);
  parts.push(indexBlock, summed(idPrefixes(entries), header.salt, xxh64));
  const last = entries.at(-1)!;
  const footer = encodeFooter(
    {
      lastSeq: last.seq,
      lastHlc: last.hlc,
      count: entries.length,
      chunks: index.length,
      indexOffset: offset,
      idsOffset: offset + indexBlock.length,
      level: 3,
      endChain: chain,
      digest: createHash('sha256').update(Buffer.concat(parts)).digest(),
    },
    xxh64,
  );
  return { bytes: Buffer.concat([...parts, footer]), chain, stretches };
}

function summed(bytes: Buffer, salt: bigint, xxh64: Hash64): Buffer {
  const sum = Buffer.alloc(8);
  sum.writeBigUInt64LE(xxh64(bytes, salt));
  return Buffer.concat([bytes, sum]);
}

/** Another one for each segment of each journal, as chance makes them. */
export const saltOf = (name: string, segment: number, xxh64: Hash64): bigint =>
  xxh64(Buffer.from(name), BigInt(segment));
