import { isSha256, sha256 } from '../platform/sha256.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import {
  alignUp,
  isSum,
  isZeroIn,
  readU16,
  readU32,
  readU64,
  writeBigU64,
  writeU8,
  writeU16,
  writeU32,
  writeU64,
} from './bytes.ts';
import type { Envelope } from './envelope.ts';
import {
  BODY_BYTES_MAX,
  CHAIN_DOMAIN,
  CHAINED,
  COMMIT_DOMAIN,
  FRAME,
  FRAME_ALIGN,
  FRAME_END_MAGIC,
  FRAME_FLAG,
  FRAME_HEADER_BYTES,
  FRAME_KIND,
  FRAME_KIND_SKIPPABLE,
  FRAME_MAGIC,
  FRAME_TRAILER_BYTES,
  HASH_BYTES,
  ID_BYTES,
  SALT_BYTES,
  TRAILER,
} from './format.ts';
import { type Hlc, readHlc, writeHlc } from './hlc.ts';

/** One record of the journal as both kinds of segment give it. Bytes are views: copy what is kept for long. */
export interface Entry {
  kind: number;
  flags: number;
  typeTag: number;
  seq: number;
  hlc: Hlc;
  /** 16 bytes. */
  id: Buffer;
  syncedUpto: number;
  /** 16 bytes; empty in a husk. */
  salt: Buffer;
  /** The MessagePack body; empty in a husk. */
  payload: Buffer;
  /** 32 bytes. */
  commit: Buffer;
  /** What `payload` says, where the process that encoded it still has it. To be read only. */
  envelope?: Envelope | undefined;
}

/** An entry of an active segment, with where it stands and the chain that is stored with it. */
export interface Frame extends Entry {
  chain: Buffer;
  offset: number;
  /** Whole frame: header, body, padding, trailer. */
  bytes: number;
}

export type FrameProblem = 'short' | 'header' | 'body';

export function commitOf(salt: Uint8Array, payload: Uint8Array): Buffer {
  return sha256(COMMIT_DOMAIN, salt, payload);
}

/** Whether `commit` is what `commitOf` gives. */
export const isCommitOf = (commit: Uint8Array, salt: Uint8Array, payload: Uint8Array): boolean =>
  isSha256(commit, COMMIT_DOMAIN, salt, payload);

/** Whether `chain` is what `chainOf` gives. */
export const isChainOf = (chain: Uint8Array, previous: Uint8Array, chained: Uint8Array): boolean =>
  isSha256(chain, CHAIN_DOMAIN, previous, chained);

/** @param chained as `chainedIn` or `chainedBytes` gives them */
export function chainOf(previous: Uint8Array, chained: Uint8Array): Buffer {
  return sha256(CHAIN_DOMAIN, previous, chained);
}

/**
 * What of a header its chain covers: bytes 12 to 87, and of a kind that readers skip the kind as well. An event is a husk
 * one day, so its kind cannot be covered; but nobody can make it one that is skipped, unnoticed.
 */
export function chainedIn(header: Buffer): Buffer {
  const covered = header.subarray(CHAINED.start, CHAINED.end);
  if (header[FRAME.kind]! < FRAME_KIND_SKIPPABLE) return covered;
  return Buffer.concat([covered, header.subarray(FRAME.kind, FRAME.kind + 1)]);
}

/** Those bytes, built from an entry unless it is stored as a frame. */
export function chainedBytes(entry: Chained): Buffer {
  if (entry instanceof StoredFrame) return entry.chained;
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
export interface FramePlace {
  /** The segment's salt. */
  salt: bigint;
  offset: number;
  previousChain: Uint8Array;
}

/**
 * Encodes an entry (its `commit` as given) and returns the bytes and the new chain.
 * @param room zeros that begin where the frame is wanted; it may have more of them than it takes
 */
export function encodeFrame(
  entry: Entry,
  place: FramePlace,
  xxh64: Hash64,
  room?: Buffer,
): { frame: Buffer; chain: Buffer } {
  const isHusk = entry.kind === FRAME_KIND.husk;
  const bodyBytes = isHusk ? 0 : entry.salt.length + entry.payload.length;
  const bytes = frameBytes(bodyBytes);
  const frame = room?.subarray(0, bytes) ?? Buffer.alloc(bytes);
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
  if (!isHusk) {
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

/**
 * Decodes the frame at `offset` of a segment's bytes. Never throws on damage: `short` when the frame would end
 * behind the bytes, `header` when nothing of it can be believed, `body` when only the event is lost.
 * @param base offset in the file of the first byte given, when only a window of the file is
 * @returns with `body`, `bytes` is where the next frame starts
 */
export function decodeFrame(
  segment: Buffer,
  offset: number,
  salt: bigint,
  xxh64: Hash64,
  base = 0,
): Frame | { problem: FrameProblem; bytes: number; seq?: number } {
  if (offset + FRAME_HEADER_BYTES > segment.length) return { problem: 'short', bytes: 0 };
  if (readU32(segment, offset + FRAME.magic) !== FRAME_MAGIC)
    return { problem: 'header', bytes: 0 };
  const summed = segment.subarray(offset, offset + FRAME.checksum);
  const sum = xxh64(summed, salt ^ BigInt(base + offset));
  if (!isSum(sum, segment, offset + FRAME.checksum)) return { problem: 'header', bytes: 0 };
  const kind = segment[offset + FRAME.kind]!;
  const bodyBytes = readU32(segment, offset + FRAME.bodyBytes);
  if (!plausible(segment, offset, kind, bodyBytes)) return { problem: 'header', bytes: 0 };
  const bytes = frameBytes(bodyBytes);
  const seq = readU64(segment, offset + FRAME.seq);
  if (offset + bytes > segment.length) return { problem: 'short', bytes, seq };
  const body = offset + FRAME_HEADER_BYTES;
  const trailer = offset + bytes - FRAME_TRAILER_BYTES;
  const bodySum = xxh64(segment.subarray(body, body + bodyBytes), salt ^ BigInt(seq));
  const sound =
    readU32(segment, trailer + TRAILER.endMagic) === FRAME_END_MAGIC &&
    readU32(segment, trailer + TRAILER.frameBytes) === bytes &&
    isZeroIn(segment, body + bodyBytes, trailer) &&
    isSum(bodySum, segment, trailer + TRAILER.bodyChecksum);
  if (!sound) return { problem: 'body', bytes, seq };
  return new StoredFrame(segment, offset, base, seq, bodyBytes, bytes);
}

/** A frame within the bytes of its segment: what nobody asks for is not taken out of them. */
class StoredFrame implements Frame {
  readonly kind: number;
  readonly typeTag: number;
  readonly seq: number;
  /** In the file. */
  readonly offset: number;
  readonly bytes: number;
  readonly #segment: Buffer;
  /** In the bytes at hand. */
  readonly #at: number;
  readonly #bodyBytes: number;

  constructor(
    segment: Buffer,
    at: number,
    base: number,
    seq: number,
    bodyBytes: number,
    bytes: number,
  ) {
    this.kind = segment[at + FRAME.kind]!;
    this.typeTag = readU32(segment, at + FRAME.typeTag);
    this.seq = seq;
    this.offset = base + at;
    this.bytes = bytes;
    this.#segment = segment;
    this.#at = at;
    this.#bodyBytes = bodyBytes;
  }

  get flags(): number {
    return this.#segment[this.#at + FRAME.flags]!;
  }

  get hlc(): Hlc {
    return readHlc(this.#segment, this.#at + FRAME.hlc);
  }

  get id(): Buffer {
    return this.#view(FRAME.id, ID_BYTES);
  }

  get syncedUpto(): number {
    return readU64(this.#segment, this.#at + FRAME.syncedUpto);
  }

  get salt(): Buffer {
    return this.#view(FRAME_HEADER_BYTES, Math.min(SALT_BYTES, this.#bodyBytes));
  }

  get payload(): Buffer {
    const salt = Math.min(SALT_BYTES, this.#bodyBytes);
    return this.#view(FRAME_HEADER_BYTES + salt, this.#bodyBytes - salt);
  }

  get commit(): Buffer {
    return this.#view(FRAME.commit, HASH_BYTES);
  }

  get chain(): Buffer {
    return this.#view(FRAME.chain, HASH_BYTES);
  }

  /** The header's bytes that its chain covers, as they are stored. */
  get chained(): Buffer {
    return this.kind < FRAME_KIND_SKIPPABLE
      ? this.#view(CHAINED.start, CHAINED.end - CHAINED.start)
      : chainedIn(this.#view(0, FRAME_HEADER_BYTES));
  }

  #view(from: number, bytes: number): Buffer {
    return this.#segment.subarray(this.#at + from, this.#at + from + bytes);
  }
}

/** A header whose checksum holds can still come from a hostile writer: its fields are checked as well. */
function plausible(segment: Buffer, at: number, kind: number, bodyBytes: number): boolean {
  if (readU16(segment, at + FRAME.headerBytes) !== FRAME_HEADER_BYTES) return false;
  if (readU32(segment, at + FRAME.seq + 4) > 0x1f_ffff) return false;
  return isPlausible(kind, segment[at + FRAME.flags]!, bodyBytes);
}

/** Whether a kind may have such flags, and a body (salt and payload) of such a length. */
export function isPlausible(kind: number, flags: number, bodyBytes: number): boolean {
  if (kind < FRAME_KIND_SKIPPABLE && (flags & ~FRAME_FLAG.fromInbox) !== 0) return false;
  if (kind === FRAME_KIND.husk) return bodyBytes === 0;
  if (kind !== FRAME_KIND.event && kind < FRAME_KIND_SKIPPABLE) return false;
  return bodyBytes > SALT_BYTES && bodyBytes <= BODY_BYTES_MAX;
}
