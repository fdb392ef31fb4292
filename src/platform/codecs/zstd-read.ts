import { decompress } from 'fzstd';
import { type BlockTables, blockBytes } from './zstd-block.ts';

/** Node 22.15 and later have it; fzstd is plain JavaScript for the others. */
interface NativeZstd {
  zstdDecompressSync?: (bytes: Uint8Array, options: object) => Buffer;
}

/** Loaded for the first frame: loading takes a tenth of an empty process. */
const nativeZstd = (): NativeZstd => process.getBuiltinModule('node:zlib') as NativeZstd;

const MAGIC = 0xfd2f_b528;
/** The window that RFC 8878 asks every decoder to support. */
const WINDOW_BYTES_MAX = 8 * 1024 * 1024;
/** Header bits of a dictionary, a checksum (not every decoder checks it), and the reserved bit. */
const NOT_OURS = 0x0f;
/** RFC 8878, 3.1.1.2.4. */
const BLOCK_BYTES_MAX = 128 * 1024;
/** A frame may have 16 blocks, and one for each 256 bytes: each block's tables take time. */
const BLOCKS_MAX = 16;
const BYTES_PER_BLOCK_MIN = 256;

/** @throws when the bytes are not one Zstd frame of exactly `plainBytes` */
export function unzstd(bytes: Uint8Array, plainBytes: number): Uint8Array {
  const native = nativeZstd().zstdDecompressSync;
  if (native === undefined) return unzstdInJs(bytes, plainBytes);
  assertFrame(asBuffer(bytes), plainBytes);
  const plain = native(bytes, { maxOutputLength: Math.max(plainBytes, 1) });
  if (plain.length !== plainBytes) throw wrongSize(plain.length, plainBytes);
  return plain;
}

/** Lengths are checked first: fzstd trusts them. */
export function unzstdInJs(bytes: Uint8Array, plainBytes: number): Uint8Array {
  const frame = asBuffer(bytes);
  const { blocks, window, isSized } = assertFrame(frame, plainBytes);
  const found = contentOf(frame, blocks, Math.min(window, BLOCK_BYTES_MAX), plainBytes);
  if (found !== plainBytes) throw wrongSize(found, plainBytes);
  return decompress(isSized ? bytes : sized(frame, blocks, plainBytes));
}

/** The frame with the content's size in its header: without it, fzstd moves the whole window at each block. */
function sized(frame: Buffer, blocks: number, plainBytes: number): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt32LE(MAGIC);
  head.writeUInt8(0xa0, 4); // a single segment, its size in four bytes
  head.writeUInt32LE(plainBytes, 5);
  return Buffer.concat([head, frame.subarray(blocks)]);
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Checks the header before memory is allocated. Returns the start of the blocks. */
function assertFrame(
  frame: Buffer,
  plainBytes: number,
): { blocks: number; window: number; isSized: boolean } {
  if (frame.length < 6 || frame.readUInt32LE(0) !== MAGIC) throw new RangeError('not a Zstd frame');
  const flags = frame.readUInt8(4);
  const isSingle = (flags & 0x20) !== 0;
  if ((flags & NOT_OURS) !== 0)
    throw new RangeError('a Zstd frame with a dictionary, a checksum or the reserved bit');
  const exponent = frame.readUInt8(5) >> 3;
  const window = 2 ** (10 + exponent) * (1 + (frame.readUInt8(5) & 7) / 8);
  if (!isSingle && window > WINDOW_BYTES_MAX) throw new RangeError('a Zstd window too large');
  const announced = contentBytes(frame, isSingle ? 5 : 6, flags >> 6, isSingle);
  if (announced !== undefined && announced !== plainBytes) throw wrongSize(announced, plainBytes);
  const contentField = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6]!;
  const blocks = (isSingle ? 5 : 6) + contentField;
  const blocksMax = BLOCKS_MAX + Math.floor(plainBytes / BYTES_PER_BLOCK_MIN);
  if (endOfBlocks(frame, blocks, blocksMax) !== frame.length) {
    throw new RangeError('bytes behind the end of a Zstd frame');
  }
  return { blocks, window: isSingle ? plainBytes : window, isSized: announced !== undefined };
}

/** Walks the block headers (RFC 8878, 3.1.1.2): decoders differ in how they treat bytes after the last one. */
function endOfBlocks(frame: Buffer, start: number, most: number): number {
  let at = start;
  for (let blocks = 0; blocks < most && at + 3 <= frame.length; blocks += 1) {
    const { end, isLast } = blockAt(frame, at);
    if (isLast) return end;
    at = end;
  }
  throw new RangeError('a Zstd frame of too many blocks, or without an end');
}

const RUN_LENGTH = 1;
const COMPRESSED = 2;

function blockAt(frame: Buffer, at: number) {
  const header = frame.readUIntLE(at, 3);
  const kind = (header >> 1) & 3;
  const size = header >> 3;
  const start = at + 3;
  return {
    kind,
    /** Unpacked, unless the block is compressed. */
    size,
    start,
    end: start + (kind === RUN_LENGTH ? 1 : size),
    isLast: (header & 1) !== 0,
  };
}

/** The unpacked length of all blocks: each at most `blockMax`, together at most `most`. */
function contentOf(frame: Buffer, start: number, blockMax: number, most: number): number {
  const tables: BlockTables = [];
  let content = 0;
  for (let at = start; ; ) {
    const block = blockAt(frame, at);
    const room = Math.min(blockMax, most - content);
    const bytes =
      block.kind === COMPRESSED
        ? blockBytes(frame.subarray(block.start, block.end), tables, room)
        : block.size;
    if (bytes > room) throw wrongSize(content + bytes, most);
    content += bytes;
    if (block.isLast) return content;
    at = block.end;
  }
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
