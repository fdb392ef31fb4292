import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeChunkHeader,
  encodeChunk,
  packRecords,
  recordBytes,
  unpackRecords,
} from '../../../src/journal/format/chunk.ts';
import { encodeEnvelope } from '../../../src/journal/format/envelope.ts';
import { decodeFooter, encodeFooter } from '../../../src/journal/format/footer.ts';
import {
  BODY_BYTES_MAX,
  CHUNK,
  CHUNK_BYTES_MAX,
  CHUNK_HEADER_BYTES,
  FOOTER_BYTES,
  FRAME_KIND,
  SALT_BYTES,
  SEGMENT_HEADER_BYTES,
} from '../../../src/journal/format/format.ts';
import { chainedBytes, chainOf, commitOf, type Entry } from '../../../src/journal/format/frame.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { mayContainId, openSealed, readChunk } from '../../../src/journal/read/sealed.ts';
import { LEVEL_SEAL, sealSegment } from '../../../src/journal/seal/seal.ts';
import { loadZstd } from '../../../src/platform/codecs/zstd-write.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { decoders } from '../../support.ts';
import { entryOf, flipBit, segmentOf } from '../support.ts';

const zstd = await loadZstd();
const raw = { compress: () => undefined };
const { header } = segmentOf([]);

const payloadOf = (seq: number, bytes = 50, at: number | null = 1000 + seq): Buffer =>
  encodeEnvelope({
    type: 'a.b',
    version: 1,
    session: 's',
    agent: null,
    client: null,
    source: 'tool',
    at,
    data: `${seq} `.repeat(bytes),
  });

const tombstoneOf = (seq: number): Entry => {
  const { commit } = entryOf(seq, payloadOf(seq));
  return entryOf(seq, Buffer.alloc(0), {
    kind: FRAME_KIND.tombstone,
    salt: Buffer.alloc(0),
    commit,
  });
};

const entriesOf = (count: number, bytes?: number) =>
  Array.from({ length: count }, (_, i) =>
    i % 7 === 3 ? tombstoneOf(i + 1) : entryOf(i + 1, payloadOf(i + 1, bytes)),
  );

/** What an entry is, without what says where it was read. */
const plain = ({
  kind,
  flags,
  typeTag,
  seq,
  hlc,
  id,
  syncedUpto,
  salt,
  payload,
  commit,
}: Entry) => ({
  kind,
  flags,
  typeTag,
  seq,
  hlc,
  syncedUpto,
  id: id.toString('hex'),
  salt: salt.toString('hex'),
  payload: payload.toString('hex'),
  commit: commit.toString('hex'),
});

function readBack(bytes: Buffer) {
  const sealed = openSealed(bytes, decodeSegmentHeader(bytes, xxh64)!, xxh64);
  const entries: Entry[] = [];
  const damage = [...sealed.damage];
  for (const chunk of sealed.chunks) {
    const read = readChunk(bytes, sealed, chunk, decoders, xxh64);
    if (read.damage !== undefined) damage.push(read.damage);
    else entries.push(...read.entries);
  }
  return { sealed, entries, damage };
}

describe('the records of a chunk', () => {
  it('come back as they were packed, whatever their fields', () => {
    const bytes = (min: number, max = min) =>
      fc.uint8Array({ minLength: min, maxLength: max }).map((b) => Buffer.from(b));
    const one = fc.record({
      kind: fc.constantFrom(1, 2, 200),
      flags: fc.nat(255),
      typeTag: fc.nat(0xffffffff),
      hlc: fc.record({ ms: fc.nat(2 ** 48 - 1), count: fc.nat(65535) }),
      id: bytes(16),
      syncedUpto: fc.maxSafeNat(),
      salt: bytes(16),
      payload: bytes(1, 100),
    });
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 1, maxLength: 20 }),
        fc.nat(2 ** 40),
        (fields, first) => {
          const entries = fields.map((field, i): Entry => {
            const commit = commitOf(field.salt, field.payload);
            const none = Buffer.alloc(0);
            return {
              ...field,
              // Only kinds that readers skip may have flags that nobody knows.
              flags: field.kind < 128 ? field.flags & 1 : field.flags,
              seq: first + i,
              commit,
              ...(field.kind === 2 ? { salt: none, payload: none } : {}),
            };
          });
          expect(unpackRecords(packRecords(entries), entries.length, first).map(plain)).toEqual(
            entries.map(plain),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a chunk', () => {
  const about = { offset: 128, minAt: 5, maxAt: 9, endChain: Buffer.alloc(32, 8), level: 3 };
  const chunkOf = (entries: Entry[], codec = zstd) =>
    encodeChunk(entries, about, codec, xxh64, header.salt);

  it('is stored as it is when it does not get smaller', () => {
    const { header: bytes, stored } = chunkOf(entriesOf(2), raw);
    expect(stored).toEqual(packRecords(entriesOf(2)));
    expect(bytes[52]).toBe(0);
  });

  it('is not believed with any flipped bit in its header, at another offset, or in another segment', () => {
    const { header: bytes } = chunkOf(entriesOf(2));
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      flipBit(damaged, bit);
      expect(decodeChunkHeader(damaged, header.salt, xxh64), `bit ${bit}`).toBeUndefined();
    }
    expect(decodeChunkHeader(bytes, header.salt, xxh64, 129)).toBeUndefined();
    expect(decodeChunkHeader(bytes, header.salt ^ 1n, xxh64)).toBeUndefined();
    expect(decodeChunkHeader(bytes.subarray(0, 103), header.salt, xxh64)).toBeUndefined();
  });

  it('may be as large as one event of the largest size', () => {
    const largest = entryOf(1, Buffer.alloc(BODY_BYTES_MAX - SALT_BYTES, 3));
    const { header: bytes } = chunkOf([largest]);
    expect(recordBytes(largest)).toBeLessThanOrEqual(CHUNK_BYTES_MAX);
    expect(decodeChunkHeader(bytes, header.salt, xxh64)).toBeDefined();
    bytes.writeUInt32LE(CHUNK_BYTES_MAX, CHUNK.plainBytes);
    bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, 96), header.salt), 96);
    expect(decodeChunkHeader(bytes, header.salt, xxh64)).toBeDefined();
  });
});

describe('a footer', () => {
  const footer = {
    lastSeq: 2 ** 40,
    lastHlc: { ms: 7, count: 8 },
    count: 9,
    chunks: 2,
    indexOffset: 500,
    idsOffset: 700,
    level: 19,
    endChain: Buffer.alloc(32, 1),
    digest: Buffer.alloc(32, 2),
  };
  const bytes = encodeFooter(footer, xxh64);

  it('is not believed with any flipped bit, or another length', () => {
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      flipBit(damaged, bit);
      expect(decodeFooter(damaged, xxh64), `bit ${bit}`).toBeUndefined();
    }
    expect(decodeFooter(bytes.subarray(1), xxh64)).toBeUndefined();
  });
});

describe('a sealed segment', () => {
  const entries = entriesOf(400, 200);
  const bytes = sealSegment(header, entries, LEVEL_SEAL, zstd, xxh64);
  const { sealed } = readBack(bytes);

  it('gives back every event and tombstone, its chain, and how far it reaches', () => {
    const read = readBack(bytes);
    expect(read.damage).toEqual([]);
    expect(read.entries.map(plain)).toEqual(entries.map(plain));
    let chain: Buffer = header.prevChain;
    for (const entry of entries) chain = chainOf(chain, chainedBytes(entry));
    expect(sealed.footer).toMatchObject({ lastSeq: 400, count: 400, level: 3, endChain: chain });
    expect(sealed.footer!.digest).toEqual(
      createHash('sha256').update(bytes.subarray(0, -FOOTER_BYTES)).digest(),
    );
    expect(sealed.chunks.at(-1)!.endChain).toEqual(chain);
    expect(decodeSegmentHeader(bytes, xxh64)).toEqual({ ...header, flags: 2 });
  });

  it('gives back any events', () => {
    const list = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(list, fc.boolean(), (payloads, packed) => {
        const some = payloads.map((payload, i) => entryOf(i + 1, Buffer.from(payload)));
        const read = readBack(sealSegment(header, some, 1, packed ? zstd : raw, xxh64));
        expect(read.damage).toEqual([]);
        expect(read.entries.map(plain)).toEqual(some.map(plain));
      }),
      { numRuns: 60 },
    );
  });

  it('has its chunks one behind the other', () => {
    expect(sealed.chunks.length).toBeGreaterThan(1);
    let offset = SEGMENT_HEADER_BYTES;
    for (const chunk of sealed.chunks) {
      expect(chunk.offset).toBe(offset);
      offset += CHUNK_HEADER_BYTES + chunk.storedBytes;
    }
    expect(offset).toBe(sealed.footer!.indexOffset);
  });

  it('knows the times of its events, and is not disturbed by bodies that say none', () => {
    const times = [null, 5000, -3, 0.5, 2 ** 60, 7000, Number.NaN];
    const some = times.map((at, i) => entryOf(i + 1, payloadOf(i + 1, 1, at)));
    const odd = [...some, entryOf(8, Buffer.from('no envelope at all')), tombstoneOf(9)];
    const [chunk] = readBack(sealSegment(header, odd, 1, zstd, xxh64)).sealed.chunks;
    expect([chunk!.minAt, chunk!.maxAt]).toEqual([5000, 7000]);
    const [none] = readBack(
      sealSegment(
        header,
        odd.slice(7).map((entry, i) => ({ ...entry, seq: i + 1 })),
        1,
        zstd,
        xxh64,
      ),
    ).sealed.chunks;
    expect([none!.minAt, none!.maxAt]).toEqual([0, 0]);
  });

  it('says which ids are not in it, without unpacking anything', () => {
    for (const seq of [1, 2, 200, 399, 400])
      expect(mayContainId(bytes, sealed, entryOf(seq, Buffer.alloc(1)).id, xxh64)).toBe(true);
    const absent = Buffer.alloc(16, 0xf1);
    expect(mayContainId(bytes, sealed, Buffer.from('0123456789abcdef'), xxh64)).toBe(false);
    expect(mayContainId(bytes, sealed, Buffer.alloc(16, 0), xxh64)).toBe(
      entries.some((e) => e.id.equals(Buffer.alloc(16, 0))),
    );
    const damaged = Buffer.from(bytes);
    damaged[sealed.footer!.idsOffset + 3]! ^= 1;
    expect(mayContainId(damaged, sealed, absent, xxh64)).toBeUndefined();
    expect(mayContainId(bytes, { ...sealed, footer: undefined }, absent, xxh64)).toBeUndefined();
    expect(mayContainId(bytes.subarray(0, 200), sealed, absent, xxh64)).toBeUndefined();
  });
});

describe('a damaged sealed segment', () => {
  const entries = entriesOf(90, 3000);
  const bytes = sealSegment(header, entries, LEVEL_SEAL, zstd, xxh64);
  const { sealed } = readBack(bytes);

  it('loses nothing when index, id table or footer are hit, at any byte', () => {
    for (let at = sealed.footer!.indexOffset; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 0x10;
      const opened = openSealed(damaged, decodeSegmentHeader(damaged, xxh64)!, xxh64);
      expect(opened.chunks, `byte ${at}`).toEqual(sealed.chunks);
      const inIds = at >= sealed.footer!.idsOffset && at < bytes.length - FOOTER_BYTES;
      const nothing = { kind: 'index', firstSeq: null, lastSeq: null };
      expect(opened.damage, `byte ${at}`).toMatchObject(inIds ? [] : [nothing]);
      if (at % 100 === 0) expect(readBack(damaged).entries, `byte ${at}`).toHaveLength(90);
    }
  });

  it('says what is lost behind the last chunk that can be found', () => {
    const last = sealed.chunks.at(-1)!;
    const damaged = Buffer.from(bytes);
    damaged[sealed.footer!.indexOffset]! ^= 1;
    damaged[last.offset]! ^= 1;
    expect(readBack(damaged).damage).toMatchObject([
      { kind: 'index', firstSeq: last.firstSeq, lastSeq: 90 },
    ]);
    damaged[bytes.length - 20]! ^= 1; // the footer as well: nobody knows how far it went
    expect(readBack(damaged).damage).toMatchObject([
      { kind: 'index', firstSeq: null, lastSeq: null },
    ]);
  });

  it('with any flipped bit gives the right event or none', () => {
    const small = sealSegment(header, entriesOf(6, 20), LEVEL_SEAL, zstd, xxh64);
    const right = readBack(small).entries.map(plain);
    for (let bit = 128 * 8; bit < small.length * 8; bit += 1) {
      const damaged = Buffer.from(small);
      flipBit(damaged, bit);
      const read = readBack(damaged);
      expect(read.entries.length === 0 ? right : read.entries.map(plain), `bit ${bit}`).toEqual(
        right,
      );
      if (read.entries.length === 0) expect(read.damage.length, `bit ${bit}`).toBeGreaterThan(0);
    }
  });
});
