import * as zlib from 'node:zlib';
import { Decompress } from 'fzstd';

// Node 22.15 and later have Zstd built in; fzstd is plain JavaScript and reads the same frames anywhere.
const native = (zlib as { zstdDecompressSync?: (b: Uint8Array, o: object) => Buffer })
  .zstdDecompressSync;

const MAGIC = 0xfd2f_b528;
/** What RFC 8878 asks every decoder to provide, and far more than our blocks need: memory that a header may ask for. */
const WINDOW_BYTES_MAX = 8 * 1024 * 1024;

/** @throws when the bytes are not one Zstd frame of exactly `plainBytes` */
export function unzstd(bytes: Uint8Array, plainBytes: number): Uint8Array {
  assertFrame(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), plainBytes);
  if (native === undefined) return unzstdInJs(bytes, plainBytes);
  const plain = native(bytes, { maxOutputLength: Math.max(plainBytes, 1) });
  if (plain.length !== plainBytes) throw wrongSize(plain.length, plainBytes);
  return plain;
}

/** Piece by piece: given a buffer to fill, fzstd does not tell how much of it was filled. */
export function unzstdInJs(bytes: Uint8Array, plainBytes: number): Uint8Array {
  const plain = new Uint8Array(plainBytes);
  let filled = 0;
  const stream = new Decompress((part) => {
    if (filled + part.length > plainBytes) throw wrongSize(filled + part.length, plainBytes);
    plain.set(part, filled);
    filled += part.length;
  });
  stream.push(bytes, true);
  if (filled !== plainBytes) throw wrongSize(filled, plainBytes);
  return plain;
}

/** What the frame's head announces must fit before memory is taken for it. */
function assertFrame(frame: Buffer, plainBytes: number): void {
  if (frame.length < 6 || frame.readUInt32LE(0) !== MAGIC) throw new RangeError('not a Zstd frame');
  const flags = frame.readUInt8(4);
  const isSingle = (flags & 0x20) !== 0;
  if ((flags & 0x03) !== 0) throw new RangeError('a Zstd frame with a dictionary');
  const exponent = frame.readUInt8(5) >> 3;
  const window = 2 ** (10 + exponent) * (1 + (frame.readUInt8(5) & 7) / 8);
  if (!isSingle && window > WINDOW_BYTES_MAX) throw new RangeError('a Zstd window too large');
  const announced = contentBytes(frame, isSingle ? 5 : 6, flags >> 6, isSingle);
  if (announced !== undefined && announced !== plainBytes) throw wrongSize(announced, plainBytes);
  const contentField = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6]!;
  const blocks = (isSingle ? 5 : 6) + contentField;
  if (endOfFrame(frame, blocks, (flags & 0x04) !== 0) !== frame.length) {
    throw new RangeError('bytes behind the end of a Zstd frame');
  }
}

/** Walks the blocks' headers (RFC 8878, 3.1.1.2): decoders differ in what they make of bytes behind the last one. */
function endOfFrame(frame: Buffer, start: number, hasChecksum: boolean): number {
  for (let at = start; at + 3 <= frame.length; ) {
    const header = frame.readUIntLE(at, 3);
    const runLength = ((header >> 1) & 3) === 1;
    at += 3 + (runLength ? 1 : header >> 3);
    if ((header & 1) !== 0) return at + (hasChecksum ? 4 : 0);
  }
  throw new RangeError('a Zstd frame without an end');
}

function contentBytes(
  frame: Buffer,
  at: number,
  code: number,
  isSingle: boolean,
): number | undefined {
  if (code === 1) return frame.readUInt16LE(at) + 256;
  if (code === 2) return frame.readUInt32LE(at);
  if (code === 3) return Number(frame.readBigUInt64LE(at));
  return isSingle ? frame.readUInt8(at) : undefined;
}

const wrongSize = (found: number, wanted: number): RangeError =>
  new RangeError(`Zstd block: ${found} bytes, not ${wanted}`);
