import lz4 from 'lz4js';
import type { Codec } from './codecs.ts';

/** LZ4 frames of one block each. The level is not used: lz4js has one. */
export const lz4Codec: Codec = {
  compress(bytes) {
    const frame = lz4.compress(bytes);
    return frame.length < bytes.length ? frame : undefined;
  },
};

/**
 * How each of our frames begins: magic, version 1 with linked blocks of at most 4 MiB and no checksums, and the
 * checksum of that. lz4js checks none of it.
 */
const FRAME_HEAD = Buffer.from('04224d184070df', 'hex');
/** Set in the length of a block that is stored as it is. */
const STORED = 0x8000_0000;
const MATCH_BYTES_MIN = 4;

/**
 * @param into as many bytes
 * @throws RangeError when the bytes are not a frame of exactly `plainBytes`
 */
export function unlz4(
  bytes: Uint8Array,
  plainBytes: number,
  into: Uint8Array = new Uint8Array(plainBytes),
): Uint8Array {
  const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = contentOf(frame, plainBytes);
  if (size !== plainBytes) throw new RangeError(`LZ4 block: ${size} bytes, not ${plainBytes}`);
  lz4.decompressFrame(bytes, into);
  return into;
}

/** How much a frame unpacks to: lz4js copies as many bytes as lengths say, whether there are so many or not. */
function contentOf(frame: Buffer, most: number): number {
  const isOurs = frame.subarray(0, FRAME_HEAD.length).equals(FRAME_HEAD);
  let content = 0;
  let at = FRAME_HEAD.length;
  while (isOurs && at + 4 <= frame.length) {
    const head = frame.readUInt32LE(at);
    const size = head % STORED;
    at += 4;
    if (size === 0 && at === frame.length) return content;
    if (size === 0 || at + size > frame.length) break;
    content += head < STORED ? blockBytes(frame.subarray(at, at + size), most - content) : size;
    at += size;
  }
  throw new RangeError('not an LZ4 frame of ours');
}

/** Adds up the lengths of a block's sequences (LZ4 block format: token, literals, offset, match). */
function blockBytes(block: Uint8Array, most: number): number {
  let content = 0;
  let at = 0;
  /** A length whose first 4 bits are all set goes on in the bytes behind. */
  const length = (start: number): number => {
    let value = start;
    for (let more = start === 15 ? 255 : 0; more === 255; ) {
      more = block[at] ?? 0;
      at += 1;
      value += more;
    }
    return value;
  };
  while (at < block.length) {
    const token = block[at]!;
    at += 1;
    const literals = length(token >> 4);
    at += literals;
    content += literals;
    if (at < block.length) {
      at += 2;
      content += length(token & 15) + MATCH_BYTES_MIN;
    }
    if (at > block.length || content > most) throw new RangeError('an LZ4 block that runs over');
  }
  return content;
}
