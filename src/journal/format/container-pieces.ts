import type { Decoders } from '../../platform/codecs/codecs.ts';
import type { Hash64 } from '../../platform/xxh64.ts';
import { blocksOf, decodeBlock, type ReadAt } from './container.ts';
import { BLOCK_BYTES_MAX, BLOCK_HEADER_BYTES, CONTAINER_BYTES_MAX } from './format.ts';

/** Bytes that are had a piece at a time, so that what is made of them need not stand beside all of them. */
export interface Pieces {
  /** Of all pieces. */
  readonly bytes: number;
  /**
   * @param rest of what was had, still to be read
   * @returns that, with the next piece behind it; it holds until the next call
   * @throws RangeError when the piece is damaged, whatever the file system throws
   */
  next(rest: Uint8Array): Uint8Array;
}

/** More than what is left of a piece is, nearly always. */
const REST_BYTES = 128 * 1024;

/**
 * What a container holds, a block at a time.
 * @param bytes of the container
 * @param read puts its bytes from an offset on into a buffer, and says how many
 * @param seen is given each piece in turn
 * @returns undefined when what it says of itself is damaged
 */
export function containerPieces(
  bytes: number,
  read: (into: Uint8Array, at: number) => number,
  { decoders, xxh64 }: { decoders: Decoders; xxh64: Hash64 },
  seen: (piece: Uint8Array) => void,
): Pieces | undefined {
  // Rooms that are used again: buffers that nobody needs stay until the next collection.
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
