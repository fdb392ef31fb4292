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

/** @throws RangeError when the bytes are not a frame of exactly `plainBytes` */
export function unlz4(bytes: Uint8Array, plainBytes: number): Uint8Array {
  assertFrame(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  // The output buffer bounds what a hostile block can unpack to.
  const plain = new Uint8Array(plainBytes);
  const size = lz4.decompressFrame(bytes, plain);
  if (size !== plainBytes) throw new RangeError(`LZ4 block: ${size} bytes, not ${plainBytes}`);
  return plain;
}

/** A block may not announce more than there is: lz4js would copy it byte by byte, up to two thousand million. */
function assertFrame(frame: Buffer): void {
  const isOurs = frame.subarray(0, FRAME_HEAD.length).equals(FRAME_HEAD);
  let at = FRAME_HEAD.length;
  while (isOurs && at + 4 <= frame.length) {
    const size = frame.readUInt32LE(at) & 0x7fff_ffff;
    at += 4;
    if (size === 0 && at === frame.length) return;
    if (size === 0) break;
    at += size;
  }
  throw new RangeError('not an LZ4 frame of ours');
}
