import lz4 from 'lz4js';
import type { Codec } from './codecs.ts';

/** Magic, version 1 with linked blocks of at most 4 MiB and no checksums, header checksum. */
const FRAME_HEAD = Buffer.from('04224d184070df', 'hex');
const BLOCK_AT = FRAME_HEAD.length + 4;
/** Header, the block's length, and the length of 0 that ends a frame. */
const FRAME_BYTES = BLOCK_AT + 4;
/** The last position of each hash of four bytes. */
const positions = new Uint32Array(1 << 16);

/**
 * LZ4 frames of one block, at most 4 MiB. The frame is built here because lz4js copies byte by byte, which is slow in a hook's
 * uncompiled code. There is only one level.
 */
export const lz4Codec: Codec = {
  compress(bytes) {
    const frame = Buffer.allocUnsafeSlow(FRAME_BYTES + lz4.compressBound(bytes.length));
    const block = frame.subarray(BLOCK_AT);
    const size = lz4.compressBlock(bytes, block, 0, bytes.length, positions.fill(0));
    if (size === 0 || FRAME_BYTES + size >= bytes.length) return undefined;
    FRAME_HEAD.copy(frame);
    frame.writeUInt32LE(size, FRAME_HEAD.length);
    frame.writeUInt32LE(0, BLOCK_AT + size);
    return new Uint8Array(frame.subarray(0, FRAME_BYTES + size));
  },
};

/** The length's flag for a block that is not compressed. */
const STORED = 0x8000_0000;
const MATCH_BYTES_MIN = 4;
/** A length of 15 continues in the following bytes until one is below 255. */
const LENGTH_BITS = 15;

/**
 * Our own, because lz4js does not check lengths. One loop without calls, because a hook unpacks half a megabyte before V8
 * compiles any of this.
 * @throws RangeError unless the bytes are a frame of exactly `plainBytes`
 */
export function unlz4(
  bytes: Uint8Array,
  plainBytes: number,
  into: Uint8Array = new Uint8Array(plainBytes),
): Uint8Array {
  const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isOurs = frame.subarray(0, FRAME_HEAD.length).equals(FRAME_HEAD);
  let at = FRAME_HEAD.length;
  let done = 0;
  while (isOurs && at + 4 <= frame.length) {
    const head = frame.readUInt32LE(at);
    const size = head % STORED;
    at += 4;
    if (size === 0 && at === frame.length) {
      if (done === plainBytes) return into;
      throw new RangeError(`LZ4 block: ${done} bytes, not ${plainBytes}`);
    }
    if (size === 0 || at + size > frame.length) break;
    const block = frame.subarray(at, at + size);
    if (head < STORED) done = unpackBlock(block, into, done, plainBytes);
    else if (done + size > plainBytes) break;
    else {
      into.set(block, done);
      done += size;
    }
    at += size;
  }
  throw new RangeError('not an LZ4 frame of ours');
}

/**
 * Unpacks sequences of token, literals, offset and match.
 * @param from start of the block's bytes in `into`
 * @param most limit of their end
 * @returns their end
 */
function unpackBlock(block: Uint8Array, into: Uint8Array, from: number, most: number): number {
  let at = 0;
  let to = from;
  while (at < block.length) {
    const token = block[at]!;
    at += 1;
    let literals = token >> 4;
    for (let more = literals === LENGTH_BITS ? 255 : 0; more === 255; at += 1) {
      more = block[at] ?? 0;
      literals += more;
    }
    if (at + literals > block.length || to + literals > most) throw runsOver();
    for (const end = to + literals; to < end; to += 1, at += 1) into[to] = block[at]!;
    if (at === block.length) break;
    let source = to - (block[at]! | (block[at + 1]! << 8));
    at += 2;
    let match = (token & LENGTH_BITS) + MATCH_BYTES_MIN;
    for (let more = (token & LENGTH_BITS) === LENGTH_BITS ? 255 : 0; more === 255; at += 1) {
      more = block[at] ?? 0;
      match += more;
    }
    if (at > block.length || source < 0 || source === to || to + match > most) throw runsOver();
    for (const end = to + match; to < end; to += 1, source += 1) into[to] = into[source]!;
  }
  return to;
}

const runsOver = (): RangeError => new RangeError('an LZ4 block that runs over');
