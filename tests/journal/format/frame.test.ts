import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../../src/journal/format/decode-frame.ts';
import {
  BODY_BYTES_MAX,
  FRAME,
  FRAME_KIND,
  SALT_BYTES,
} from '../../../src/journal/format/format.ts';
import {
  ChainInput,
  commitOf,
  type Entry,
  encodeFrame,
  type Frame,
} from '../../../src/journal/format/frame.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { entryOf, flipBit } from '../support.ts';

const place = { salt: 0xfeed_beef_0123_4567n, offset: 4096, previousChain: Buffer.alloc(32, 9) };

/** The frame as it stands in a file of which only a window is given. */
const decode = (frame: Buffer, at = place) => decodeFrame(frame, 0, at.salt, xxh64, at.offset);

/** Encodes, changes bytes of the header, and makes its checksum fit again: what a hostile writer can do. */
function forged(entry: Entry, change: (frame: Buffer) => void): Buffer {
  const { frame } = encodeFrame(entry, place, xxh64);
  change(frame);
  const sum = xxh64(frame.subarray(0, FRAME.checksum), place.salt ^ BigInt(place.offset));
  frame.writeBigUInt64LE(sum, FRAME.checksum);
  return frame;
}

describe('a frame', () => {
  it('comes back as it was put in, whatever its fields', () => {
    const bytes = (length: number) =>
      fc.uint8Array({ minLength: length, maxLength: length }).map((b) => Buffer.from(b));
    const entries = fc
      .record({
        flags: fc.nat(1),
        typeTag: fc.nat(0xffffffff),
        seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        hlc: fc.record({ ms: fc.nat(2 ** 48 - 1), count: fc.nat(65535) }),
        id: bytes(16),
        syncedUpto: fc.maxSafeNat(),
        salt: bytes(16),
        payload: fc.uint8Array({ minLength: 1, maxLength: 300 }).map((b) => Buffer.from(b)),
      })
      .map((fields) => ({ ...fields, kind: 1, commit: commitOf(fields.salt, fields.payload) }));
    fc.assert(
      fc.property(
        entries,
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.nat(10000),
        (entry, salt, at) => {
          const where = { salt, offset: at * 8, previousChain: place.previousChain };
          const { frame, chain } = encodeFrame(entry, where, xxh64);
          expect(frame.length % 8).toBe(0);
          expect(decode(frame, where)).toMatchObject({
            ...entry,
            chain,
            offset: at * 8,
            bytes: frame.length,
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('may have the largest body, and not one byte more', () => {
    const largest = BODY_BYTES_MAX - SALT_BYTES;
    expect(
      'problem' in decode(encodeFrame(entryOf(1, Buffer.alloc(largest, 1)), place, xxh64).frame),
    ).toBe(false);
    const tooLarge = encodeFrame(entryOf(1, Buffer.alloc(largest + 1, 1)), place, xxh64).frame;
    expect(decode(tooLarge)).toEqual({ problem: 'header', bytes: 0 });
  });

  it.each([FRAME_KIND.event, 128])(
    'of kind %i tells a commitment and a chain from others, and leaves its bytes as they are',
    (kind) => {
      const entry = entryOf(1, Buffer.from('some words'), { kind });
      const { frame } = encodeFrame(entry, place, xxh64);
      const stored = Buffer.from(frame);
      const found = decode(stored) as Frame;
      const link = new ChainInput();
      link.chain.set(place.previousChain);
      expect([found.isCommitted(), found.isChainedTo(link)]).toEqual([true, true]);
      link.chain[31]! ^= 1;
      expect(found.isChainedTo(link)).toBe(false);
      expect(stored).toEqual(frame);
      const wrong = decode(
        encodeFrame({ ...entry, payload: Buffer.from('other') }, place, xxh64).frame,
      );
      expect((wrong as Frame).isCommitted()).toBe(false);
    },
  );
});

describe('a damaged frame', () => {
  const { frame } = encodeFrame(entryOf(3, Buffer.from('payload!x')), place, xxh64);

  it('is noticed whatever single bit is flipped, and the header stays good if the body is hit', () => {
    for (let bit = 0; bit < frame.length * 8; bit += 1) {
      const damaged = Buffer.from(frame);
      flipBit(damaged, bit);
      const expected =
        bit < 128 * 8
          ? { problem: 'header', bytes: 0 }
          : { problem: 'body', bytes: frame.length, seq: 3 };
      expect(decode(damaged), `bit ${bit}`).toEqual(expected);
    }
  });

  it('is not believed at another offset, in another segment, or with another seq in its body seed', () => {
    expect(decode(frame, { ...place, offset: 4104 })).toEqual({ problem: 'header', bytes: 0 });
    expect(decode(frame, { ...place, salt: place.salt ^ 1n })).toEqual({
      problem: 'header',
      bytes: 0,
    });
    const moved = forged(entryOf(3, Buffer.from('payload!x')), (bytes) =>
      bytes.writeUInt32LE(4, FRAME.seq),
    );
    expect(decode(moved)).toMatchObject({ problem: 'body', seq: 4 });
  });
});
