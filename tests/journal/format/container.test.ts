import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONTAINER_FILE_BYTES_MAX,
  decodeContainer,
  encodeContainer,
  type Packing,
} from '../../../src/journal/format/container.ts';
import {
  BLOCK_BYTES_MAX,
  BLOCK_HEADER_BYTES,
  CONTAINER,
  CONTAINER_BYTES_MAX,
  CONTAINER_HEADER_BYTES,
} from '../../../src/journal/format/format.ts';
import { lz4Codec } from '../../../src/platform/codecs/lz4.ts';
import { loadZstd } from '../../../src/platform/codecs/zstd-write.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { codeOf, decoders } from '../../support.ts';
import { flipBit } from '../support.ts';

const packings: [string, Packing | undefined][] = [
  ['raw', undefined],
  ['lz4', { method: 'lz4', codec: lz4Codec, level: 0 }],
  ['zstd', { method: 'zstd', codec: await loadZstd(), level: 3 }],
];
const decode = (bytes: Buffer) => decodeContainer(bytes, decoders, xxh64);

/** Changes the header and makes its sum fit again. */
function lying(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  copy.writeBigUInt64LE(xxh64(copy.subarray(0, CONTAINER.checksum), 0n), CONTAINER.checksum);
  return copy;
}

describe.each(packings)('a container with %s blocks', (name, packing) => {
  const text = Buffer.from('some words that come again, some words that come again. '.repeat(12));
  const sound = encodeContainer(text, xxh64, packing);

  it('gives back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(decode(encodeContainer(bytes, xxh64, packing))).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 100 },
    );
  });

  it('is damaged when any of its blocks is, the last one too', () => {
    const bytes = Buffer.alloc(2 * BLOCK_BYTES_MAX + 500, 'abcdefghijk');
    const container = encodeContainer(bytes, xxh64, packing);
    // Not `toEqual`, which looks at two million bytes one by one.
    expect(decode(container)?.equals(bytes)).toBe(true);
    for (const at of [CONTAINER_HEADER_BYTES + BLOCK_HEADER_BYTES + 9, container.length - 9]) {
      const damaged = Buffer.from(container);
      damaged[at]! ^= 0x55;
      expect(decode(damaged)).toBeUndefined();
    }
  });

  it.each([
    0,
    1,
    BLOCK_BYTES_MAX - 1,
    BLOCK_BYTES_MAX,
    BLOCK_BYTES_MAX + 1,
    2 * BLOCK_BYTES_MAX + 5,
  ])('gives back %i bytes, in blocks of at most a mebibyte', (size) => {
    const bytes = Buffer.alloc(size, 'abcdefghijk');
    const container = encodeContainer(bytes, xxh64, packing);
    expect(container.readUInt32LE(CONTAINER.blocks)).toBe(Math.ceil(size / BLOCK_BYTES_MAX));
    expect(decode(container)!.equals(bytes)).toBe(true);
  });

  it('with any flipped bit gives the right bytes or nothing', () => {
    let harmless = 0;
    for (let bit = 0; bit < sound.length * 8; bit += 1) {
      const damaged = Buffer.from(sound);
      flipBit(damaged, bit);
      const read = decode(damaged);
      if (read === undefined) continue;
      harmless += 1;
      expect(read.equals(text), `bit ${bit}`).toBe(true);
    }
    // Zstd frames have a bit that means nothing, and LZ4 can say the same repetition in two ways.
    expect(harmless).toBeLessThanOrEqual(name === 'raw' ? 0 : 16);
  });

  it('is refused at every truncation, and with a byte behind it', () => {
    for (let length = 0; length < sound.length; length += 1)
      expect(decode(sound.subarray(0, length)), `${length}`).toBeUndefined();
    expect(decode(Buffer.concat([sound, Buffer.alloc(1)]))).toBeUndefined();
  });
});

describe('a container', () => {
  const bytes = Buffer.alloc(100, 7);
  const sound = encodeContainer(bytes, xxh64);

  it('unpacks nothing when its blocks say more than was announced', () => {
    const [, packing] = packings[2]!;
    const block = encodeContainer(Buffer.alloc(BLOCK_BYTES_MAX), xxh64, packing).subarray(
      CONTAINER_HEADER_BYTES,
    );
    const many = Buffer.concat([
      sound.subarray(0, 32),
      ...Array.from({ length: 5000 }, () => block),
    ]);
    const bomb = lying(many, (b) => b.writeUInt32LE(5000, CONTAINER.blocks));
    let unpacked = 0;
    const counting = {
      ...decoders,
      zstd: (stored: Uint8Array, plainBytes: number) => {
        unpacked += 1;
        return decoders.zstd(stored, plainBytes);
      },
    };
    expect(decodeContainer(bomb, counting, xxh64)).toBeUndefined();
    expect(unpacked).toBe(0);
  });

  it('holds up to the limit, and refuses to be made larger', { tags: 'long' }, () => {
    expect(codeOf(() => encodeContainer(new Uint8Array(CONTAINER_BYTES_MAX + 1), xxh64))).toBe(
      'LIMIT_EXCEEDED',
    );
    const quick = () => 0n;
    const largest = encodeContainer(new Uint8Array(CONTAINER_BYTES_MAX), quick);
    expect(largest.length).toBe(CONTAINER_FILE_BYTES_MAX);
    expect(decodeContainer(largest, decoders, quick)!.length).toBe(CONTAINER_BYTES_MAX);
  });
});
