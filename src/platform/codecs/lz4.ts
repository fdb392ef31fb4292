import lz4 from 'lz4js';
import type { Codec } from './codecs.ts';

/** LZ4 frames of one block each. The level is not used: lz4js has one. */
export const lz4Codec: Codec = {
  compress(bytes) {
    const frame = lz4.compress(bytes);
    return frame.length < bytes.length ? frame : undefined;
  },
};

export function unlz4(bytes: Uint8Array, plainBytes: number): Uint8Array {
  // The output buffer bounds what a hostile block can unpack to.
  const plain = new Uint8Array(plainBytes);
  const size = lz4.decompressFrame(bytes, plain);
  if (size !== plainBytes) throw new RangeError(`LZ4 block: ${size} bytes, not ${plainBytes}`);
  return plain;
}
