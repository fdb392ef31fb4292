import type { Codec, Decoders } from '../../platform/codecs/codecs.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Hash64 } from '../../platform/xxh64.ts';
import {
  asBuffer,
  isLaterMagic,
  isZero,
  readBigU64,
  readU8,
  readU32,
  readU64,
  writeBigU64,
  writeU8,
  writeU32,
  writeU64,
} from './bytes.ts';
import {
  BLOCK,
  BLOCK_BYTES_MAX,
  BLOCK_HEADER_BYTES,
  CONTAINER,
  CONTAINER_BYTES_MAX,
  CONTAINER_HEADER_BYTES,
  CONTAINER_MAGIC,
  METHOD,
} from './format.ts';

/** The largest container in a file: every block stored as it is. */
export const CONTAINER_FILE_BYTES_MAX =
  CONTAINER_HEADER_BYTES +
  CONTAINER_BYTES_MAX +
  (CONTAINER_BYTES_MAX / BLOCK_BYTES_MAX) * BLOCK_HEADER_BYTES;

/** How to shrink a container's blocks. */
export interface Packing {
  method: 'lz4' | 'zstd';
  codec: Codec;
  level: number;
}

/**
 * Encodes bytes as independent blocks, each with a checksum: for stored states, blobs and snapshots. Without `packing`
 * blocks are stored as they are, which costs a hook nothing.
 * @throws Ben10Error LIMIT_EXCEEDED when no reader would unpack it
 */
export function encodeContainer(plain: Uint8Array, xxh64: Hash64, packing?: Packing): Buffer {
  if (plain.length > CONTAINER_BYTES_MAX) {
    throw new Ben10Error(
      'LIMIT_EXCEEDED',
      `${plain.length} bytes in one piece; the limit is ${CONTAINER_BYTES_MAX}`,
      { next: 'Texts of this size are not kept whole: please report where it came from.' },
    );
  }
  const blocks = Math.ceil(plain.length / BLOCK_BYTES_MAX);
  const header = Buffer.alloc(CONTAINER_HEADER_BYTES);
  header.set(CONTAINER_MAGIC, CONTAINER.magic);
  writeU64(header, plain.length, CONTAINER.plainBytes);
  writeU32(header, blocks, CONTAINER.blocks);
  writeBigU64(header, xxh64(header.subarray(0, CONTAINER.checksum), 0n), CONTAINER.checksum);
  const parts: Uint8Array[] = [header];
  let offset = CONTAINER_HEADER_BYTES;
  for (let at = 0; at < plain.length; at += BLOCK_BYTES_MAX) {
    const block = plain.subarray(at, at + BLOCK_BYTES_MAX);
    const packed = packing?.codec.compress(block, packing.level);
    const stored = packed ?? block;
    const head = Buffer.alloc(BLOCK_HEADER_BYTES);
    writeU8(head, packed === undefined ? METHOD.raw : METHOD[packing!.method], BLOCK.method);
    writeU32(head, block.length, BLOCK.plainBytes);
    writeU32(head, stored.length, BLOCK.storedBytes);
    // Seeded with its place: a block in another's place is damage.
    writeBigU64(head, xxh64(block, BigInt(offset)), BLOCK.plainChecksum);
    parts.push(head, stored);
    offset += BLOCK_HEADER_BYTES + stored.length;
  }
  return Buffer.concat(parts);
}

/**
 * @param most bytes that it may unpack to, if its owner writes less than the format allows @returns undefined if anything is
 * damaged
 */
export function decodeContainer(
  bytes: Buffer,
  decoders: Decoders,
  xxh64: Hash64,
  most = CONTAINER_BYTES_MAX,
): Buffer | undefined {
  const of = (at: number, length: number) => bytes.subarray(at, at + length);
  const places = blocksOf(bytes.length, of, xxh64, most);
  if (places === undefined) return undefined;
  if (places.length === 1) return decodeBlock(of, places[0]!, decoders, xxh64);
  const plain = Buffer.allocUnsafeSlow(places.reduce((sum, { plainBytes }) => sum + plainBytes, 0));
  let unpacked = 0;
  for (const place of places) {
    const block = decodeBlock(of, place, decoders, xxh64, plain.subarray(unpacked));
    if (block === undefined) return undefined;
    if (block.buffer !== plain.buffer) plain.set(block, unpacked);
    unpacked += block.length;
  }
  return plain;
}

/** Whether a later version wrote it: its header's sum is right, so it is no damage. */
export function isLaterContainer(bytes: Buffer, xxh64: Hash64): boolean {
  return (
    bytes.length >= CONTAINER_HEADER_BYTES &&
    isLaterMagic(bytes, CONTAINER_MAGIC) &&
    xxh64(bytes.subarray(0, CONTAINER.checksum), 0n) === readBigU64(bytes, CONTAINER.checksum)
  );
}

/** Bytes of a container, fewer at its end. Valid until the next call. */
export type ReadAt = (at: number, length: number) => Buffer;

interface BlockPlace {
  /** Of its head. */
  at: number;
  plainBytes: number;
  storedBytes: number;
}

/**
 * Where a container's blocks are. @param bytes the container's size
 * @returns undefined if a head is damaged, they are not all that is there, or they claim more than `most`
 */
export function blocksOf(
  bytes: number,
  of: ReadAt,
  xxh64: Hash64,
  most: number,
): BlockPlace[] | undefined {
  const head = of(0, CONTAINER_HEADER_BYTES);
  if (head.length < CONTAINER_HEADER_BYTES) return undefined;
  if (!head.subarray(0, CONTAINER_MAGIC.length).equals(CONTAINER_MAGIC)) return undefined;
  const sum = xxh64(head.subarray(0, CONTAINER.checksum), 0n);
  if (sum !== readBigU64(head, CONTAINER.checksum)) return undefined;
  if (!isZero(head.subarray(CONTAINER.reserved, CONTAINER.checksum))) return undefined;
  const plainBytes = readU64(head, CONTAINER.plainBytes);
  if (plainBytes > most) return undefined;
  const places: BlockPlace[] = [];
  let at = CONTAINER_HEADER_BYTES;
  // Before there is room for it: many small blocks must not say more than the whole.
  let said = 0;
  for (let left = readU32(head, CONTAINER.blocks); left > 0; left -= 1) {
    const block = of(at, BLOCK_HEADER_BYTES);
    if (block.length < BLOCK_HEADER_BYTES) return undefined;
    const place = {
      at,
      plainBytes: readU32(block, BLOCK.plainBytes),
      storedBytes: readU32(block, BLOCK.storedBytes),
    };
    if (place.plainBytes > BLOCK_BYTES_MAX) return undefined;
    places.push(place);
    said += place.plainBytes;
    at += BLOCK_HEADER_BYTES + place.storedBytes;
  }
  return at === bytes && said === plainBytes ? places : undefined;
}

/** A block's plain bytes; undefined if damaged. @param into optional room to unpack into */
export function decodeBlock(
  of: ReadAt,
  { at, plainBytes, storedBytes }: BlockPlace,
  decoders: Decoders,
  xxh64: Hash64,
  into?: Buffer,
): Buffer | undefined {
  const block = of(at, BLOCK_HEADER_BYTES + storedBytes);
  if (!isZero(block.subarray(BLOCK.reserved, BLOCK.plainBytes))) return undefined;
  if (!isZero(block.subarray(BLOCK.reserved2, BLOCK.plainChecksum))) return undefined;
  let plain: Buffer;
  try {
    const stored = block.subarray(BLOCK_HEADER_BYTES);
    plain = unpack(stored, readU8(block, BLOCK.method), plainBytes, decoders, into);
  } catch {
    return undefined; // the decoders throw whatever they like on damaged input
  }
  const sound =
    plain.length === plainBytes &&
    xxh64(plain, BigInt(at)) === readBigU64(block, BLOCK.plainChecksum);
  return sound ? plain : undefined;
}

function unpack(
  stored: Buffer,
  method: number,
  plainBytes: number,
  decoders: Decoders,
  into: Buffer | undefined,
): Buffer {
  if (method === METHOD.raw) return stored;
  if (method === METHOD.lz4) {
    return asBuffer(decoders.lz4(stored, plainBytes, into?.subarray(0, plainBytes)));
  }
  if (method === METHOD.zstd) return asBuffer(decoders.zstd(stored, plainBytes));
  throw new RangeError(`unknown method ${method}`);
}
