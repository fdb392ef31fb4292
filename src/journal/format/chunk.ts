import type { Codec, Decoders } from '../../platform/codecs/codecs.ts';
import type { Hash64 } from '../../platform/xxh64.ts';
import {
  asBuffer,
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
import { isPlausible } from './decode-frame.ts';
import {
  CHUNK,
  CHUNK_BYTES_MAX,
  CHUNK_HEADER_BYTES,
  FRAME_KIND,
  HASH_BYTES,
  ID_BYTES,
  METHOD,
  RECORD_HEAD,
  RECORD_HEAD_BYTES,
  SALT_BYTES,
} from './format.ts';
import { commitOf, type Entry } from './frame.ts';
import { type Hlc, readHlc, writeHlc } from './hlc.ts';
import { newerFormat } from './segment.ts';

/**
 * A chunk's plain bytes are three columns: heads of its records, ids and salts, payloads. Similar bytes together compress
 * better, and a scan of the heads is cheap.
 */
export interface ChunkHeader {
  firstSeq: number;
  firstHlc: Hlc;
  /** Earliest and latest `at` of its events, milliseconds; 0 and 0 when none has one. */
  minAt: number;
  maxAt: number;
  /** Of this header in the file. */
  offset: number;
  storedBytes: number;
  plainBytes: number;
  count: number;
  method: number;
  plainChecksum: bigint;
  /** Chain of its last event: what comes after can be verified without what came before. */
  endChain: Buffer;
}

const HEAD_AND_KEYS_BYTES = RECORD_HEAD_BYTES + ID_BYTES + SALT_BYTES;

/** What a record adds to its chunk. */
export const recordBytes = (entry: Entry): number => HEAD_AND_KEYS_BYTES + tailOf(entry).length;

/** A tombstone has its commitment in place of a payload: it cannot be computed any more. */
const tailOf = (entry: Entry): Buffer =>
  entry.kind === FRAME_KIND.tombstone ? entry.commit : entry.payload;

export function packRecords(entries: readonly Entry[]): Buffer {
  const heads = Buffer.alloc(entries.length * RECORD_HEAD_BYTES);
  const keys = Buffer.alloc(entries.length * (ID_BYTES + SALT_BYTES));
  entries.forEach((entry, index) => {
    const head = heads.subarray(index * RECORD_HEAD_BYTES, (index + 1) * RECORD_HEAD_BYTES);
    writeU8(head, entry.kind, RECORD_HEAD.kind);
    writeU8(head, entry.flags, RECORD_HEAD.flags);
    writeU32(head, tailOf(entry).length, RECORD_HEAD.payloadBytes);
    writeU32(head, entry.typeTag, RECORD_HEAD.typeTag);
    writeU64(head, entry.seq, RECORD_HEAD.seq);
    writeHlc(head, entry.hlc, RECORD_HEAD.hlc);
    writeU64(head, entry.syncedUpto, RECORD_HEAD.syncedUpto);
    keys.set(entry.id, index * (ID_BYTES + SALT_BYTES));
    keys.set(entry.salt, index * (ID_BYTES + SALT_BYTES) + ID_BYTES);
  });
  return Buffer.concat([heads, keys, ...entries.map(tailOf)]);
}

/** @throws RangeError when the columns do not add up, or the seqs do not run from `firstSeq` without gaps */
export function unpackRecords(plain: Buffer, count: number, firstSeq: number): Entry[] {
  const keysStart = count * RECORD_HEAD_BYTES;
  let at = count * HEAD_AND_KEYS_BYTES;
  const entries: Entry[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = index * RECORD_HEAD_BYTES;
    const kind = readU8(plain, start + RECORD_HEAD.kind);
    const bytes = readU32(plain, start + RECORD_HEAD.payloadBytes);
    const tombstone = kind === FRAME_KIND.tombstone;
    const flags = readU8(plain, start + RECORD_HEAD.flags);
    const bodyBytes = tombstone ? bytes - HASH_BYTES : SALT_BYTES + bytes;
    if (at + bytes > plain.length || !isPlausible(kind, flags, bodyBytes)) {
      throw new RangeError(
        'a record that no frame could have been, or that runs past the end of its chunk',
      );
    }
    if (!isWellFormed(plain, start, firstSeq + index)) {
      throw new RangeError('a record is out of order, or has reserved bytes set');
    }
    const key = keysStart + index * (ID_BYTES + SALT_BYTES);
    const salt = plain.subarray(key + ID_BYTES, key + ID_BYTES + SALT_BYTES);
    if (tombstone && !isZero(salt)) throw new RangeError('an erased record that kept its salt');
    const tail = plain.subarray(at, at + bytes);
    entries.push({
      kind,
      flags,
      typeTag: readU32(plain, start + RECORD_HEAD.typeTag),
      seq: readU64(plain, start + RECORD_HEAD.seq),
      hlc: readHlc(plain, start + RECORD_HEAD.hlc),
      syncedUpto: readU64(plain, start + RECORD_HEAD.syncedUpto),
      id: plain.subarray(key, key + ID_BYTES),
      salt: tombstone ? salt.subarray(0, 0) : salt,
      payload: tombstone ? tail.subarray(0, 0) : tail,
      get commit() {
        return tombstone ? tail : commitOf(salt, tail);
      },
    });
    at += bytes;
  }
  if (at !== plain.length) throw new RangeError('bytes are left over at the end of a chunk');
  return entries;
}

const isWellFormed = (plain: Buffer, head: number, seq: number): boolean =>
  readU64(plain, head + RECORD_HEAD.seq) === seq &&
  isZero(plain.subarray(head + RECORD_HEAD.reserved, head + RECORD_HEAD.payloadBytes)) &&
  isZero(plain.subarray(head + RECORD_HEAD.reserved2, head + RECORD_HEAD.seq));

/** Compresses and describes a chunk that is going to stand at `offset`. */
export function encodeChunk(
  entries: readonly Entry[],
  about: { offset: number; minAt: number; maxAt: number; endChain: Buffer; level: number },
  zstd: Codec,
  xxh64: Hash64,
  salt: bigint,
): { header: Buffer; stored: Buffer } {
  const plain = packRecords(entries);
  const packed = zstd.compress(plain, about.level);
  const stored = packed === undefined ? plain : asBuffer(packed);
  const { offset, minAt, maxAt, endChain } = about;
  const chunk: ChunkHeader = {
    firstSeq: entries[0]!.seq,
    firstHlc: entries[0]!.hlc,
    minAt,
    maxAt,
    offset,
    storedBytes: stored.length,
    plainBytes: plain.length,
    count: entries.length,
    method: packed === undefined ? METHOD.raw : METHOD.zstd,
    plainChecksum: xxh64(plain, salt),
    endChain,
  };
  return { header: encodeChunkHeader(chunk, salt, xxh64), stored };
}

export function encodeChunkHeader(chunk: ChunkHeader, salt: bigint, xxh64: Hash64): Buffer {
  const header = Buffer.alloc(CHUNK_HEADER_BYTES);
  writeU64(header, chunk.firstSeq, CHUNK.firstSeq);
  writeHlc(header, chunk.firstHlc, CHUNK.firstHlc);
  writeU64(header, chunk.minAt, CHUNK.minAt);
  writeU64(header, chunk.maxAt, CHUNK.maxAt);
  writeU64(header, chunk.offset, CHUNK.offset);
  writeU32(header, chunk.storedBytes, CHUNK.storedBytes);
  writeU32(header, chunk.plainBytes, CHUNK.plainBytes);
  writeU32(header, chunk.count, CHUNK.count);
  writeU8(header, chunk.method, CHUNK.method);
  writeBigU64(header, chunk.plainChecksum, CHUNK.plainChecksum);
  header.set(chunk.endChain, CHUNK.endChain);
  writeBigU64(header, xxh64(header.subarray(0, CHUNK.checksum), salt), CHUNK.checksum);
  return header;
}

const isMethod = (method: number): boolean => method === METHOD.raw || method === METHOD.zstd;

/**
 * Undefined if the bytes are not a sound chunk header that says it stands at `offset`.
 * @throws Ben10Error JOURNAL_FOREIGN if its sum is right and its method unknown
 */
export function decodeChunkHeader(
  bytes: Buffer,
  salt: bigint,
  xxh64: Hash64,
  offset?: number,
): ChunkHeader | undefined {
  if (bytes.length < CHUNK_HEADER_BYTES) return undefined;
  const sum = xxh64(bytes.subarray(0, CHUNK.checksum), salt);
  if (sum !== readBigU64(bytes, CHUNK.checksum)) return undefined;
  const header: ChunkHeader = {
    firstSeq: readU64(bytes, CHUNK.firstSeq),
    firstHlc: readHlc(bytes, CHUNK.firstHlc),
    minAt: readU64(bytes, CHUNK.minAt),
    maxAt: readU64(bytes, CHUNK.maxAt),
    offset: readU64(bytes, CHUNK.offset),
    storedBytes: readU32(bytes, CHUNK.storedBytes),
    plainBytes: readU32(bytes, CHUNK.plainBytes),
    count: readU32(bytes, CHUNK.count),
    method: readU8(bytes, CHUNK.method),
    plainChecksum: readBigU64(bytes, CHUNK.plainChecksum),
    endChain: bytes.subarray(CHUNK.endChain, CHUNK.endChain + HASH_BYTES),
  };
  if (!isMethod(header.method)) throw newerFormat(undefined, 'a chunk');
  const fits =
    header.plainBytes <= CHUNK_BYTES_MAX && header.count * HEAD_AND_KEYS_BYTES <= header.plainBytes;
  const placed = offset === undefined || header.offset === offset;
  const counted = Number.isSafeInteger(header.firstSeq + header.count - 1);
  const reserved = isZero(bytes.subarray(CHUNK.reserved, CHUNK.plainChecksum));
  return fits && placed && counted && reserved && header.count > 0 ? header : undefined;
}

/** @throws when the stored bytes do not unpack to what the header says */
export function decodeChunk(
  stored: Buffer,
  header: ChunkHeader,
  salt: bigint,
  decoders: Decoders,
  xxh64: Hash64,
): Entry[] {
  const plain =
    header.method === METHOD.raw ? stored : asBuffer(decoders.zstd(stored, header.plainBytes));
  if (plain.length !== header.plainBytes || xxh64(plain, salt) !== header.plainChecksum) {
    throw new RangeError('a chunk does not match its checksum');
  }
  return unpackRecords(plain, header.count, header.firstSeq);
}
