import { sha256 } from '../../platform/sha256.ts';
import type { Hash64 } from '../../platform/xxh64.ts';
import { alignUp, writeBigU64, writeU8, writeU16, writeU32, writeU64 } from './bytes.ts';
import type { Envelope } from './envelope.ts';
import {
  CHAIN_DOMAIN,
  CHAINED,
  COMMIT_DOMAIN,
  FRAME,
  FRAME_ALIGN,
  FRAME_END_MAGIC,
  FRAME_HEADER_BYTES,
  FRAME_KIND,
  FRAME_KIND_SKIPPABLE,
  FRAME_MAGIC,
  FRAME_TRAILER_BYTES,
  HASH_BYTES,
  TRAILER,
} from './format.ts';
import { type Hlc, writeHlc } from './hlc.ts';

/** One record of the journal, from a raw or sealed segment. Bytes are views: copy what is kept for long. */
export interface Entry {
  kind: number;
  flags: number;
  typeTag: number;
  seq: number;
  hlc: Hlc;
  /** 16 bytes. */
  id: Buffer;
  syncedUpto: number;
  /** 16 bytes; empty in a tombstone. */
  salt: Buffer;
  /** The MessagePack body; empty in a tombstone. */
  payload: Buffer;
  /** 32 bytes. */
  commit: Buffer;
  /** What `payload` says, where the process that encoded it still has it. To be read only. */
  envelope?: Envelope | undefined;
}

/** An entry of a raw segment, with its place and stored chain. */
export interface Frame extends Entry {
  chain: Buffer;
  offset: number;
  /** Whole frame: header, body, padding, trailer. */
  bytes: number;
  /** The header's bytes that its chain covers, as they are stored. */
  chained: Buffer;
  /** Whether `commit` is what `commitOf` gives of its body. */
  isCommitted(): boolean;
  /** Whether `chain` is what `chainOf` gives behind this one. */
  isChainedTo(previous: ChainInput): boolean;
  /** Copies `chain`. */
  writeChain(into: Uint8Array): void;
}

export function commitOf(salt: Uint8Array, payload: Uint8Array): Buffer {
  return sha256(COMMIT_DOMAIN, salt, payload);
}

/** @param chained as `chainedIn` or `chainedBytes` gives them */
export function chainOf(previous: Uint8Array, chained: Uint8Array): Buffer {
  return sha256(CHAIN_DOMAIN, previous, chained);
}

/** What a chain is made of, in one piece, for who follows it frame by frame. */
export class ChainInput {
  readonly bytes = Buffer.alloc(CHAIN_DOMAIN.length + HASH_BYTES + CHAINED.end - CHAINED.start);
  /** Of the event before. */
  readonly chain = this.bytes.subarray(CHAIN_DOMAIN.length, CHAIN_DOMAIN.length + HASH_BYTES);
  readonly chained = this.bytes.subarray(CHAIN_DOMAIN.length + HASH_BYTES);

  constructor() {
    this.bytes.set(CHAIN_DOMAIN);
  }
}

/**
 * The header bytes that the chain covers: 12 to 87, and the kind if readers skip it. An event may become a tombstone, so its
 * kind is not covered; but none can be turned into a skipped kind unnoticed.
 */
export function chainedIn(header: Buffer): Buffer {
  const covered = header.subarray(CHAINED.start, CHAINED.end);
  if (header[FRAME.kind]! < FRAME_KIND_SKIPPABLE) return covered;
  return Buffer.concat([covered, header.subarray(FRAME.kind, FRAME.kind + 1)]);
}

/** Those bytes, built from an entry unless it is stored as a frame. */
export function chainedBytes(entry: Chained | Frame): Buffer {
  if ('chained' in entry) return entry.chained;
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  writeU8(header, entry.kind, FRAME.kind);
  writeChained(header, entry);
  return chainedIn(header);
}

type Chained = Omit<Entry, 'flags' | 'salt' | 'payload'>;

function writeChained(header: Buffer, entry: Chained): void {
  writeU32(header, entry.typeTag, FRAME.typeTag);
  writeU64(header, entry.seq, FRAME.seq);
  writeHlc(header, entry.hlc, FRAME.hlc);
  header.set(entry.id, FRAME.id);
  writeU64(header, entry.syncedUpto, FRAME.syncedUpto);
  header.set(entry.commit, FRAME.commit);
}

export const frameBytes = (bodyBytes: number): number =>
  FRAME_HEADER_BYTES + alignUp(bodyBytes, FRAME_ALIGN) + FRAME_TRAILER_BYTES;

/** Where a frame is going to stand: what its checksums are seeded with. */
interface FramePlace {
  /** The segment's salt. */
  salt: bigint;
  offset: number;
  previousChain: Uint8Array;
}

/**
 * Encodes an entry with its `commit` as given; returns the bytes and the new chain. @param room as many zeros as the frame
 * has bytes
 */
export function encodeFrame(
  entry: Entry,
  place: FramePlace,
  xxh64: Hash64,
  room?: Buffer,
): { frame: Buffer; chain: Buffer } {
  const isTombstone = entry.kind === FRAME_KIND.tombstone;
  const bodyBytes = isTombstone ? 0 : entry.salt.length + entry.payload.length;
  const bytes = frameBytes(bodyBytes);
  const frame = room ?? Buffer.alloc(bytes);
  writeU32(frame, FRAME_MAGIC, FRAME.magic);
  writeU8(frame, entry.kind, FRAME.kind);
  writeU8(frame, entry.flags, FRAME.flags);
  writeU16(frame, FRAME_HEADER_BYTES, FRAME.headerBytes);
  writeU32(frame, bodyBytes, FRAME.bodyBytes);
  writeChained(frame, entry);
  const chain = chainOf(place.previousChain, chainedIn(frame));
  frame.set(chain, FRAME.chain);
  const headerSum = xxh64(frame.subarray(0, FRAME.checksum), place.salt ^ BigInt(place.offset));
  writeBigU64(frame, headerSum, FRAME.checksum);
  if (!isTombstone) {
    frame.set(entry.salt, FRAME_HEADER_BYTES);
    frame.set(entry.payload, FRAME_HEADER_BYTES + entry.salt.length);
  }
  const trailer = bytes - FRAME_TRAILER_BYTES;
  const body = frame.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + bodyBytes);
  const bodySum = xxh64(body, place.salt ^ BigInt(entry.seq));
  writeBigU64(frame, bodySum, trailer + TRAILER.bodyChecksum);
  writeU32(frame, frame.length, trailer + TRAILER.frameBytes);
  writeU32(frame, FRAME_END_MAGIC, trailer + TRAILER.endMagic);
  return { frame, chain };
}
