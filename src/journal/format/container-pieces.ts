import type { Decoders } from '../../platform/codecs/codecs.ts';
import type { Hash64 } from '../../platform/xxh64.ts';
import { blocksOf, decodeBlock, type ReadAt } from './container.ts';
import { BLOCK_BYTES_MAX, BLOCK_HEADER_BYTES, CONTAINER_BYTES_MAX } from './format.ts';

/** Bytes that arrive piece by piece, so that they never stand whole beside what is made of them. */
export interface Pieces {
  /** Of all pieces. */
  readonly bytes: number;
  /**
   * @param rest unread bytes of the last piece @returns these with the next piece behind; valid until the next call
   * @throws RangeError when the piece is damaged, or whatever the file system throws
   */
  next(rest: Uint8Array): Uint8Array;
}

/** More than what is left of a piece is, nearly always. */
const REST_BYTES = 128 * 1024;

/**
 * The content of a container, block by block. @param bytes its size @param seen receives each piece
 * @param read fills a buffer from an offset and returns how many bytes it got
 * @returns undefined if its own description is damaged
 */
export function containerPieces(
  bytes: number,
  read: (into: Uint8Array, at: number) => number,
  { decoders, xxh64 }: { decoders: Decoders; xxh64: Hash64 },
  seen: (piece: Uint8Array) => void,
): Pieces | undefined {
  // Reused: unneeded buffers would stay until the next collection.
  const packed = Buffer.allocUnsafeSlow(Math.min(bytes, BLOCK_HEADER_BYTES + BLOCK_BYTES_MAX));
  const of: ReadAt = (at, length) => {
    const into = packed.subarray(0, length);
    return into.subarray(0, read(into, at));
  };
  const places = blocksOf(bytes, of, xxh64, CONTAINER_BYTES_MAX);
  if (places === undefined) return undefined;
  let room = Buffer.allocUnsafeSlow(BLOCK_BYTES_MAX + REST_BYTES);
  let next = 0;
  return {
    bytes: places.reduce((sum, { plainBytes }) => sum + plainBytes, 0),
    next(rest) {
      const place = places[next]!;
      const ends = rest.length + place.plainBytes;
      const into = ends > room.length ? Buffer.allocUnsafeSlow(2 * ends) : room;
      into.set(rest);
      room = into;
      const block = decodeBlock(of, place, decoders, xxh64, room.subarray(rest.length));
      if (block === undefined) throw new RangeError('a block of a container is damaged');
      if (block.buffer !== room.buffer) room.set(block, rest.length);
      next += 1;
      seen(room.subarray(rest.length, ends));
      return room.subarray(0, ends);
    },
  };
}
