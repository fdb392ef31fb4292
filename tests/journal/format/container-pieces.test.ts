import { Decoder, Encoder } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeContainer, type Packing } from '../../../src/journal/format/container.ts';
import { containerPieces, type Pieces } from '../../../src/journal/format/container-pieces.ts';
import {
  BLOCK,
  BLOCK_BYTES_MAX,
  BLOCK_HEADER_BYTES,
  CONTAINER,
  CONTAINER_HEADER_BYTES,
} from '../../../src/journal/format/format.ts';
import { readMsgpack, readMsgpackPieces } from '../../../src/journal/format/msgpack-read.ts';
import { lz4Codec } from '../../../src/platform/codecs/lz4.ts';
import { loadZstd } from '../../../src/platform/codecs/zstd-write.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { decoders } from '../../support.ts';

const encode = (value: unknown) => Buffer.from(new Encoder().encode(value));
const MIB = 1024 * 1024;

/** The bytes, cut after so many each, every piece in the same room. */
function cutEvery(bytes: Buffer, size: number): Pieces {
  let at = 0;
  let room = Buffer.alloc(0);
  return {
    bytes: bytes.length,
    next(rest) {
      const piece = bytes.subarray(at, at + size);
      at += piece.length;
      const all = Buffer.concat([rest, piece]);
      if (room.length < all.length) room = Buffer.alloc(all.length);
      else room.fill(0xc1);
      room.set(all);
      return room.subarray(0, all.length);
    },
  };
}

const packings: [string, Packing | undefined][] = [
  ['raw', undefined],
  ['lz4', { method: 'lz4', codec: lz4Codec, level: 0 }],
  ['zstd', { method: 'zstd', codec: await loadZstd(), level: 3 }],
];

/** Of a container in memory. */
function piecesOf(container: Buffer, seen: (piece: Uint8Array) => void = () => undefined) {
  const read = (into: Uint8Array, at: number) => {
    const part = container.subarray(at, at + into.length);
    into.set(part);
    return part.length;
  };
  return containerPieces(container.length, read, { decoders, xxh64 }, seen);
}

describe('MessagePack that comes in pieces', () => {
  it('is the value that it is as a whole, wherever it is cut', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 90 }),
          fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double()),
          fc.oneof(fc.boolean(), fc.constant(null), fc.uint8Array({ maxLength: 90 })),
        ),
        fc.array(tie('tree'), { maxLength: 20 }),
        fc.dictionary(
          fc.string({ maxLength: 50 }).filter((key) => key !== '__proto__'),
          tie('tree'),
        ),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.integer({ min: 1, max: 40 }), (value, size) => {
        const bytes = encode(value);
        expect(readMsgpackPieces(cutEvery(bytes, size))).toEqual(readMsgpack(bytes));
      }),
      { numRuns: 1000 },
    );
  });

  it('is refused like a whole that has more values than it may, wherever these are', () => {
    const bytes = encode([[1, 2], { a: [3] }]);
    expect(readMsgpack(bytes, 64, 6)).toEqual(readMsgpackPieces(cutEvery(bytes, 3), 64, 6));
    expect(() => readMsgpack(bytes, 64, 5)).toThrow(/more values/);
    expect(() => readMsgpackPieces(cutEvery(bytes, 3), 64, 5)).toThrow(/more values/);
  });

  it('is refused like a whole that is cut off, goes on, or announces more than is there', () => {
    const bytes = encode({ texts: ['one', 'two'.repeat(30)], n: 1.5 });
    for (let end = 0; end < bytes.length; end += 1) {
      expect(() => readMsgpackPieces(cutEvery(bytes.subarray(0, end), 7))).toThrow(RangeError);
    }
    const more = Buffer.concat([bytes, encode(1)]);
    expect(() => readMsgpackPieces(cutEvery(more, bytes.length))).toThrow(/left over/);
    for (const announced of ['dbffffffff', 'ddffffffff', 'dfffffffff', 'c6ffffffff']) {
      const lie = Buffer.concat([Buffer.from(announced, 'hex'), Buffer.alloc(50)]);
      expect(() => readMsgpackPieces(cutEvery(lie, 9))).toThrow(RangeError);
    }
    expect(readMsgpack(bytes)).toEqual(new Decoder().decode(bytes));
  });
});

describe.each(packings)('the pieces of a container with %s blocks', (_, packing) => {
  it('are all that is in it, texts that are longer than a piece as well', () => {
    const long = 'ä word that comes again '.repeat(150_000);
    const value = { long, more: Array.from({ length: 40_000 }, (_, n) => `line ${n} of it`) };
    const plain = encode(value);
    expect(plain.length).toBeGreaterThan(4 * MIB);
    const seen: Buffer[] = [];
    const pieces = piecesOf(encodeContainer(plain, xxh64, packing), (piece) => {
      seen.push(Buffer.from(piece));
    });
    const read = readMsgpackPieces(pieces!) as typeof value;
    expect(read.long === long).toBe(true);
    expect(read.more).toEqual(value.more);
    expect(Buffer.concat(seen).equals(plain)).toBe(true);
    expect(seen.length).toBe(Math.ceil(plain.length / BLOCK_BYTES_MAX));
  });

  it('are refused where one is damaged, and not had at all where its head is', () => {
    const plain = encode(Array.from({ length: 200_000 }, (_, n) => `line ${n}`));
    const container = encodeContainer(plain, xxh64, packing);
    const last = Buffer.from(container);
    last[last.length - 9]! ^= 0x10;
    expect(() => readMsgpackPieces(piecesOf(last)!)).toThrow('damaged');
    const head = Buffer.from(container);
    head[9]! ^= 1;
    expect(piecesOf(head)).toBeUndefined();
    const large = Buffer.from(container);
    // No room is made for a block that says more than any has, whatever the container says, too.
    const said = CONTAINER_HEADER_BYTES + BLOCK.plainBytes;
    const more = 200 * MIB;
    large.writeUInt32LE(large.readUInt32LE(said) + more, said);
    large.writeBigUInt64LE(BigInt(plain.length + more), CONTAINER.plainBytes);
    large.writeBigUInt64LE(xxh64(large.subarray(0, CONTAINER.checksum), 0n), CONTAINER.checksum);
    expect(piecesOf(large)).toBeUndefined();
    expect(piecesOf(container.subarray(0, container.length - 1))).toBeUndefined();
    expect(piecesOf(container.subarray(0, 40 + BLOCK_HEADER_BYTES))).toBeUndefined();
    expect(piecesOf(container.subarray(0, 3))).toBeUndefined();
  });
});
