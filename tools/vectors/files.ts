import { encodeContainer, type Packing } from '../../src/journal/format/container.ts';
import {
  BLOCK,
  BLOCK_BYTES_MAX,
  BLOCK_HEADER_BYTES,
  CONTAINER,
  CONTAINER_BYTES_MAX,
  CONTAINER_HEADER_BYTES,
} from '../../src/journal/format/format.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { flipped, sha256 } from './bytes.ts';
import type { ContainerVector, MadeVector } from './model.ts';
import { zstdOfRuns } from './zstd-runs.ts';

/** Block containers, which stand for themselves. */
export function fileVectors(zstd: Codec): MadeVector[] {
  return [...containers(zstd), ...hostileContainers(zstd)];
}

const lz4: Packing = { method: 'lz4', codec: lz4Codec, level: 0 };
const TEXT = Buffer.from('The same block, whatever it is packed with. '.repeat(40));

function containers(zstd: Codec): MadeVector[] {
  const zstd19: Packing = { method: 'zstd', codec: zstd, level: 19 };
  const large = Buffer.from('More than a block. '.repeat(60_000));
  const packed = encodeContainer(TEXT, xxh64, lz4);
  const flip = (name: string, why: string, offset: number): MadeVector =>
    container(`corrupt/container-${name}`, why, flipped(packed, offset), null);
  return [
    container(
      'valid/container-empty',
      'No bytes at all: no block.',
      encodeContainer(Buffer.alloc(0), xxh64),
      Buffer.alloc(0),
    ),
    container(
      'valid/container-stored',
      'One block, stored as it is.',
      encodeContainer(TEXT, xxh64),
      TEXT,
    ),
    container('valid/container-lz4', 'One block, an LZ4 frame.', packed, TEXT),
    container(
      'valid/container-zstd',
      'One block, a Zstd frame.',
      encodeContainer(TEXT, xxh64, zstd19),
      TEXT,
    ),
    container(
      'valid/container-two-blocks',
      'More than one block holds.',
      encodeContainer(large, xxh64, lz4),
      large,
    ),
    flip('flip-header', 'A bit flip in the header.', CONTAINER.plainBytes),
    flip('flip-method', 'A bit flip in a block’s method.', CONTAINER_HEADER_BYTES + BLOCK.method),
    flip(
      'flip-reserved',
      'A bit flip in a block’s reserved bytes.',
      CONTAINER_HEADER_BYTES + BLOCK.reserved2,
    ),
    flip(
      'flip-block',
      'A bit flip in a block’s stored bytes.',
      CONTAINER_HEADER_BYTES + BLOCK_HEADER_BYTES + 30,
    ),
    container(
      'corrupt/container-swapped',
      'Two blocks of the same size, each in the place of the other.',
      swapped(),
      null,
    ),
    container(
      'corrupt/container-cut',
      'The end is gone.',
      packed.subarray(0, packed.length - 3),
      null,
    ),
  ];
}

/** Of two letters a block each, which LZ4 makes equally long. */
function swapped(): Buffer {
  const letters = ['A', 'B'].map((letter) => Buffer.alloc(BLOCK_BYTES_MAX, letter));
  const bytes = encodeContainer(Buffer.concat(letters), xxh64, lz4);
  const half = (bytes.length - CONTAINER_HEADER_BYTES) / 2;
  const at = CONTAINER_HEADER_BYTES + half;
  return Buffer.concat([
    bytes.subarray(0, CONTAINER_HEADER_BYTES),
    bytes.subarray(at),
    bytes.subarray(CONTAINER_HEADER_BYTES, at),
  ]);
}

function hostileContainers(zstd: Codec): MadeVector[] {
  const bad = (name: string, why: string, bytes: Buffer): MadeVector =>
    container(`hostile/container-${name}`, why, bytes, null);
  const stored = encodeContainer(TEXT, xxh64);
  const longer = Buffer.from(zstd.compress(Buffer.concat([TEXT, Buffer.alloc(500)]), 3)!);
  const run = zstdOfRuns(0x41, RUNS);
  const block = oneBlock(2, Buffer.alloc(BLOCK_BYTES_MAX, 0x41), run);
  return [
    bad(
      'huge',
      'A container that claims more than the limit.',
      header(CONTAINER_BYTES_MAX + 1, 1, oneBlock(0, TEXT, TEXT)),
    ),
    bad(
      'blocks',
      'A container that claims 2^32 - 1 blocks.',
      header(TEXT.length, 0xffff_ffff, oneBlock(0, TEXT, TEXT)),
    ),
    bad(
      'bomb',
      '2,000 blocks of 62 bytes that unpack to 1 MiB each, in a container that claims 16 bytes.',
      header(16, 2000, Buffer.concat(Array.from({ length: 2000 }, () => block))),
    ),
    bad(
      'longer',
      'A block that unpacks to more than it says; the bytes before the surplus are the right ones.',
      header(TEXT.length, 1, oneBlock(2, TEXT, longer)),
    ),
    bad('trailing', 'Bytes behind the last block.', Buffer.concat([stored, Buffer.from('more')])),
    ...badFrames(),
    bad('method', 'A block of an unknown method.', header(TEXT.length, 1, oneBlock(9, TEXT, TEXT))),
  ];
}

/** Runs of 128 KiB that fill a block. */
const RUNS = BLOCK_BYTES_MAX / (128 * 1024);

/** One block of 0x41, packed by hand. */
const blockOf = (method: number, stored: Buffer): Buffer =>
  header(BLOCK_BYTES_MAX, 1, oneBlock(method, Buffer.alloc(BLOCK_BYTES_MAX, 0x41), stored));

/** Frames that unpack to the right bytes and are not what the format asks for. */
function badFrames(): MadeVector[] {
  const run = zstdOfRuns(0x41, RUNS);
  const half = zstdOfRuns(0x41, RUNS / 2);
  const skippable = Buffer.from('502a4d1800000000', 'hex');
  const sized = Buffer.from([0xa0, 0, 0, 0, 0]);
  sized.writeUInt32LE(BLOCK_BYTES_MAX + 1, 1);
  const bad = (name: string, why: string, stored: Buffer): MadeVector =>
    container(`hostile/container-zstd-${name}`, why, blockOf(2, stored), null);
  const packed = Buffer.from(lz4Codec.compress(TEXT, 0)!);
  const lz4 = (name: string, why: string, stored: Buffer): MadeVector =>
    container(
      `hostile/container-lz4-${name}`,
      why,
      header(TEXT.length, 1, oneBlock(1, TEXT, stored)),
      null,
    );
  return [
    container(
      'valid/container-zstd-window',
      'A Zstd frame with a window of exactly 8 MiB.',
      blockOf(2, zstdOfRuns(0x41, RUNS, Buffer.from([0x00, 0x68]))),
      Buffer.alloc(BLOCK_BYTES_MAX, 0x41),
    ),
    bad(
      'window',
      'A Zstd frame with the next larger window, of 9 MiB.',
      zstdOfRuns(0x41, RUNS, Buffer.from([0x00, 0x69])),
    ),
    bad(
      'size',
      'A Zstd frame that declares one byte more than the block.',
      zstdOfRuns(0x41, RUNS, sized),
    ),
    bad(
      'dictionary',
      'A Zstd frame that names a dictionary.',
      zstdOfRuns(0x41, RUNS, Buffer.from([0x01, 0x38, 0x07])),
    ),
    bad('two-frames', 'Two Zstd frames, each of half the block.', Buffer.concat([half, half])),
    bad(
      'skippable-before',
      'A skippable frame before the Zstd frame.',
      Buffer.concat([skippable, run]),
    ),
    bad(
      'skippable-behind',
      'A skippable frame behind the Zstd frame.',
      Buffer.concat([run, skippable]),
    ),
    lz4(
      'head',
      'An LZ4 frame whose head says independent blocks: not the one that there is.',
      Buffer.concat([Buffer.from('04224d18607073', 'hex'), packed.subarray(7)]),
    ),
    lz4(
      'trailing',
      'A byte behind the end of the LZ4 frame.',
      Buffer.concat([packed, Buffer.alloc(1)]),
    ),
  ];
}

/** A container header with a sound checksum, whatever it claims. */
export function header(plainBytes: number, blocks: number, content: Buffer): Buffer {
  const bytes = Buffer.from(encodeContainer(Buffer.alloc(0), xxh64));
  bytes.writeBigUInt64LE(BigInt(plainBytes), CONTAINER.plainBytes);
  bytes.writeUInt32LE(blocks, CONTAINER.blocks);
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, CONTAINER.checksum), 0n), CONTAINER.checksum);
  return Buffer.concat([bytes, content]);
}

/** @param at where in the file the block stands */
export function oneBlock(
  method: number,
  plain: Buffer,
  stored: Buffer,
  at = CONTAINER_HEADER_BYTES,
): Buffer {
  const head = Buffer.alloc(BLOCK_HEADER_BYTES);
  head.writeUInt8(method, BLOCK.method);
  head.writeUInt32LE(plain.length, BLOCK.plainBytes);
  head.writeUInt32LE(stored.length, BLOCK.storedBytes);
  head.writeBigUInt64LE(xxh64(plain, BigInt(at)), BLOCK.plainChecksum);
  return Buffer.concat([head, stored]);
}

/** Blocks one behind the other, from where the first one stands. */
export function blocksOf(
  list: readonly { method: number; plain: Buffer; stored: Buffer }[],
): Buffer {
  const parts: Buffer[] = [];
  let at = CONTAINER_HEADER_BYTES;
  for (const { method, plain, stored } of list) {
    parts.push(oneBlock(method, plain, stored, at));
    at += BLOCK_HEADER_BYTES + stored.length;
  }
  return Buffer.concat(parts);
}

export function container(
  path: string,
  why: string,
  bytes: Buffer,
  plain: Buffer | null,
): MadeVector {
  const about = plain && { bytes: plain.length, sha256: sha256(plain) };
  const vector: ContainerVector = { path: `${path}.bin`, kind: 'container', why, plain: about };
  return { vector, files: new Map([['', bytes]]) };
}
