import { isSha256 } from '../../platform/sha256.ts';
import type { Hash64 } from '../../platform/xxh64.ts';
import { isSum, isZeroIn, readU16, readU32, readU64 } from './bytes.ts';
import {
  BODY_BYTES_MAX,
  CHAINED,
  COMMIT_DOMAIN,
  FRAME,
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
import { type ChainInput, chainedIn, chainOf, type Frame, frameBytes } from './frame.ts';
import { type Hlc, readHlc } from './hlc.ts';

type FrameProblem = 'short' | 'header' | 'body';

/**
 * Decodes the frame at `offset`. Never throws on damage: `short` if the frame ends behind the bytes, `header` if nothing of
 * it can be believed, `body` if only the event is lost; then `bytes` leads to the next frame.
 * @param base offset in the file of the first byte given
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
  const sum = offset + FRAME.checksum;
  if (!isSummed(xxh64, segment, offset, sum, salt, base + offset, sum))
    return { problem: 'header', bytes: 0 };
  const kind = segment[offset + FRAME.kind]!;
  const bodyBytes = readU32(segment, offset + FRAME.bodyBytes);
  if (!plausible(segment, offset, kind, bodyBytes)) return { problem: 'header', bytes: 0 };
  const bytes = frameBytes(bodyBytes);
  const seq = readU64(segment, offset + FRAME.seq);
  if (offset + bytes > segment.length) return { problem: 'short', bytes, seq };
  const body = offset + FRAME_HEADER_BYTES;
  const trailer = offset + bytes - FRAME_TRAILER_BYTES;
  const bodyEnd = body + bodyBytes;
  const sound =
    readU32(segment, trailer + TRAILER.endMagic) === FRAME_END_MAGIC &&
    readU32(segment, trailer + TRAILER.frameBytes) === bytes &&
    isZeroIn(segment, bodyEnd, trailer) &&
    isSummed(xxh64, segment, body, bodyEnd, salt, seq, trailer + TRAILER.bodyChecksum);
  if (!sound) return { problem: 'body', bytes, seq };
  return new StoredFrame(segment, offset, base, seq, bodyBytes, bytes);
}

/** Whether the checksum at `sum` fits these bytes, seeded with the salt and the frame's place. */
function isSummed(
  xxh64: Hash64,
  bytes: Buffer,
  from: number,
  to: number,
  salt: bigint,
  place: number,
  sum: number,
): boolean {
  return (
    xxh64.holds?.(bytes, from, to, salt, place, sum) ??
    isSum(xxh64(bytes.subarray(from, to), salt ^ BigInt(place)), bytes, sum)
  );
}

/** Where the commitment's domain is put for a moment, to be hashed with the body behind it. */
const COMMIT_INPUT = FRAME_HEADER_BYTES - COMMIT_DOMAIN.length;
/** What stands there. */
const covered = Buffer.alloc(COMMIT_DOMAIN.length);

/** A frame within its segment's bytes: fields are read when asked for. */
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

  isCommitted(): boolean {
    const input = this.#view(COMMIT_INPUT, FRAME_HEADER_BYTES - COMMIT_INPUT + this.#bodyBytes);
    for (let at = 0; at < COMMIT_DOMAIN.length; at += 1) {
      covered[at] = input[at]!;
      input[at] = COMMIT_DOMAIN[at]!;
    }
    const isCommitted = isSha256(this.#segment, this.#at + FRAME.commit, input);
    for (let at = 0; at < covered.length; at += 1) input[at] = covered[at]!;
    return isCommitted;
  }

  isChainedTo(previous: ChainInput): boolean {
    if (this.kind >= FRAME_KIND_SKIPPABLE)
      return chainOf(previous.chain, this.chained).equals(this.chain);
    previous.chained.set(this.chained);
    return isSha256(this.#segment, this.#at + FRAME.chain, previous.bytes);
  }

  writeChain(into: Uint8Array): void {
    const from = this.#at + FRAME.chain;
    for (let at = 0; at < HASH_BYTES; at += 1) into[at] = this.#segment[from + at]!;
  }

  get chained(): Buffer {
    return this.kind < FRAME_KIND_SKIPPABLE
      ? this.#view(CHAINED.start, CHAINED.end - CHAINED.start)
      : chainedIn(this.#view(0, FRAME_HEADER_BYTES));
  }

  #view(from: number, bytes: number): Buffer {
    return this.#segment.subarray(this.#at + from, this.#at + from + bytes);
  }
}

/** A hostile writer can make the checksum fit, so the fields are checked as well. */
function plausible(segment: Buffer, at: number, kind: number, bodyBytes: number): boolean {
  if (readU16(segment, at + FRAME.headerBytes) !== FRAME_HEADER_BYTES) return false;
  if (readU32(segment, at + FRAME.seq + 4) > 0x1f_ffff) return false;
  return isPlausible(kind, segment[at + FRAME.flags]!, bodyBytes);
}

/** Whether a kind may have such flags, and a body (salt and payload) of such a length. */
export function isPlausible(kind: number, flags: number, bodyBytes: number): boolean {
  if (kind < FRAME_KIND_SKIPPABLE && (flags & ~FRAME_FLAG.fromInbox) !== 0) return false;
  if (kind === FRAME_KIND.tombstone) return bodyBytes === 0;
  if (kind !== FRAME_KIND.event && kind < FRAME_KIND_SKIPPABLE) return false;
  return bodyBytes > SALT_BYTES && bodyBytes <= BODY_BYTES_MAX;
}
