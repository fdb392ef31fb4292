import { createHash } from 'node:crypto';
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
  chainedBytes,
  chainOf,
  commitOf,
  type Entry,
  encodeFrame,
  type Frame,
  frameBytes,
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

const tombstone = (): Entry =>
  entryOf(5, Buffer.from('gone'), {
    kind: FRAME_KIND.tombstone,
    salt: Buffer.alloc(0),
    payload: Buffer.alloc(0),
  });

describe('a frame', () => {
  it('has every field where the format says', () => {
    const entry = entryOf(258, Buffer.from('payload!x'), {
      flags: 1,
      typeTag: 0xa1b2c3d4,
      syncedUpto: 257,
    });
    const { frame, chain } = encodeFrame(entry, place, xxh64);
    const body = Buffer.concat([entry.salt, entry.payload]);
    const sha = (...parts: Uint8Array[]) =>
      createHash('sha256').update(Buffer.concat(parts)).digest('hex');
    expect(frame).toHaveLength(128 + 32 + 16);
    expect(frame.toString('latin1', 0, 4)).toBe('B10F');
    expect([frame[4], frame[5], frame.readUInt16LE(6), frame.readUInt32LE(8)]).toEqual([
      1, 1, 128, 25,
    ]);
    expect(frame.readUInt32LE(12)).toBe(0xa1b2c3d4);
    expect(frame.readBigUInt64LE(16)).toBe(258n);
    expect(frame.readBigUInt64LE(24)).toBe(BigInt(entry.hlc.ms) * 65536n + 258n);
    expect(frame.subarray(32, 48)).toEqual(entry.id);
    expect(frame.readBigUInt64LE(48)).toBe(257n);
    expect(frame.toString('hex', 56, 88)).toBe(sha(Buffer.from('ben10/body/1'), body));
    const chained = frame.subarray(12, 88);
    expect(chain.toString('hex')).toBe(
      sha(Buffer.from('ben10/chain/1'), place.previousChain, chained),
    );
    expect(frame.subarray(88, 120)).toEqual(chain);
    expect(frame.readBigUInt64LE(120)).toBe(xxh64(frame.subarray(0, 120), place.salt ^ 4096n));
    expect(frame.subarray(128, 153)).toEqual(body);
    expect(frame.subarray(153, 160)).toEqual(Buffer.alloc(7));
    expect(frame.readBigUInt64LE(160)).toBe(xxh64(body, place.salt ^ 258n));
    expect(frame.readUInt32LE(168)).toBe(frame.length);
    expect(frame.toString('latin1', 172, 176)).toBe('F01B');
    expect(chainedBytes(entry)).toEqual(chained);
  });

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

  it('is padded to a multiple of eight, for every length of body', () => {
    for (let length = 1; length <= 24; length += 1) {
      const { frame } = encodeFrame(entryOf(1, Buffer.alloc(length, 1)), place, xxh64);
      expect(frame.length).toBe(frameBytes(SALT_BYTES + length));
      expect(frame.length % 8).toBe(0);
      expect('problem' in decode(frame)).toBe(false);
    }
  });

  it('of an erased event keeps header and chain, and has no body', () => {
    const entry = tombstone();
    const { frame, chain } = encodeFrame(entry, place, xxh64);
    expect(frame).toHaveLength(128 + 16);
    const before = encodeFrame(entryOf(5, Buffer.from('gone')), place, xxh64);
    expect(chain).toEqual(before.chain);
    expect(decode(frame)).toMatchObject({
      kind: 2,
      seq: 5,
      salt: Buffer.alloc(0),
      payload: Buffer.alloc(0),
    });
  });

  it('may have the largest body, and not one byte more', () => {
    const largest = BODY_BYTES_MAX - SALT_BYTES;
    expect(
      'problem' in decode(encodeFrame(entryOf(1, Buffer.alloc(largest, 1)), place, xxh64).frame),
    ).toBe(false);
    const tooLarge = encodeFrame(entryOf(1, Buffer.alloc(largest + 1, 1)), place, xxh64).frame;
    expect(decode(tooLarge)).toEqual({ problem: 'header', bytes: 0 });
  });

  it('chains on what comes before it', () => {
    const entry = entryOf(1, Buffer.from('x'));
    const other = encodeFrame(entry, { ...place, previousChain: Buffer.alloc(32) }, xxh64);
    const { chain } = encodeFrame(entry, place, xxh64);
    expect(chain).toEqual(chainOf(place.previousChain, chainedBytes(entry)));
    expect(other.chain).not.toEqual(chain);
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

  it('is short at every truncation', () => {
    for (let length = 0; length < frame.length; length += 1) {
      const found = decode(frame.subarray(0, length));
      expect(found, `${length} bytes`).toMatchObject({ problem: 'short' });
      expect('seq' in found ? found.seq : undefined).toBe(length < 128 ? undefined : 3);
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

describe('a frame whose checksum holds, but whose writer lies', () => {
  const entry = entryOf(3, Buffer.from('payload'));
  it.each<[string, (frame: Buffer) => void]>([
    ['another header length', (f) => f.writeUInt16LE(136, FRAME.headerBytes)],
    ['a body over the limit', (f) => f.writeUInt32LE(BODY_BYTES_MAX + 1, FRAME.bodyBytes)],
    ['a body without a payload', (f) => f.writeUInt32LE(SALT_BYTES, FRAME.bodyBytes)],
    ['a seq of 2^53', (f) => f.writeBigUInt64LE(2n ** 53n, FRAME.seq)],
    ['an unknown flag', (f) => f.writeUInt8(2, FRAME.flags)],
    ['kind 0', (f) => f.writeUInt8(0, FRAME.kind)],
    ['an unknown kind that may not be skipped', (f) => f.writeUInt8(127, FRAME.kind)],
    ['a tombstone with a body', (f) => f.writeUInt8(FRAME_KIND.tombstone, FRAME.kind)],
  ])('is not believed: %s', (_, change) => {
    expect(decode(forged(entry, change))).toEqual({ problem: 'header', bytes: 0 });
  });

  it('is believed up to the highest seq there is', () => {
    const highest = encodeFrame(
      entryOf(1, Buffer.from('x'), { seq: Number.MAX_SAFE_INTEGER }),
      place,
      xxh64,
    );
    expect(decode(highest.frame)).toMatchObject({ seq: Number.MAX_SAFE_INTEGER });
  });

  it('may be of a kind from a later version, with flags that nobody knows yet', () => {
    const later = forged(entry, (f) => {
      f.writeUInt8(128, FRAME.kind);
      f.writeUInt8(0x80, FRAME.flags);
    });
    expect(decode(later)).toMatchObject({ kind: 128, flags: 0x80, seq: 3 });
  });
});
