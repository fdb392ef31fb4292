import * as zlib from 'node:zlib';
import { decompress } from 'fzstd';

// Node 22.15 and later have Zstd built in; fzstd is plain JavaScript and reads the same frames anywhere.
const native = (zlib as { zstdDecompressSync?: (b: Uint8Array, o: object) => Buffer })
  .zstdDecompressSync;

export function unzstd(bytes: Uint8Array, plainBytes: number): Uint8Array {
  const plain =
    native === undefined
      ? decompress(bytes, new Uint8Array(plainBytes))
      : native(bytes, { maxOutputLength: Math.max(plainBytes, 1) });
  if (plain.length !== plainBytes) {
    throw new RangeError(`Zstd block: ${plain.length} bytes, not ${plainBytes}`);
  }
  return plain;
}
