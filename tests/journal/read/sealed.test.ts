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
  FOOTER,
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

/** Puts the sums of a footer, and the digest in it, right again. */
function resummed(bytes: Buffer, change: (footer: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  const footer = copy.subarray(copy.length - FOOTER_BYTES);
  change(footer);
  footer.writeBigUInt64LE(xxh64(footer.subarray(0, FOOTER.checksum), 0n), FOOTER.checksum);
  return copy;
}

describe('the records of a chunk', () => {
  it('come back as they were packed, events and tombstones', () => {
    const entries = entriesOf(30);
    const packed = packRecords(entries);
    expect(packed.length).toBe(entries.reduce((sum, entry) => sum + recordBytes(entry), 0));
    expect(unpackRecords(packed, 30, 1).map(plain)).toEqual(entries.map(plain));
  });

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

  it.each<[string, (bytes: Buffer) => Buffer, number]>([
    ['one too many', (b) => b, 4],
    ['one too few', (b) => b, 2],
    ['bytes left over', (b) => Buffer.concat([b, Buffer.alloc(1)]), 3],
    ['bytes missing', (b) => b.subarray(0, b.length - 1), 3],
    ['a payload over the limit', (b) => b.fill(0xff, 4, 8), 3],
    ['a reserved byte that is set', (b) => b.fill(1, 2, 3), 3],
    ['another reserved byte that is set', (b) => b.fill(1, 12, 13), 3],
    ['a seq out of order', (b) => b.fill(9, 16, 17), 3],
    ['a tombstone whose commitment has another length', (b) => b.fill(2, 0, 1), 3],
  ])('are refused with %s', (_, change, count) => {
    const packed = change(packRecords(entriesOf(3)));
    expect(() => unpackRecords(packed, count, 1)).toThrow(RangeError);
  });
});

describe('a chunk', () => {
  const about = { offset: 128, minAt: 5, maxAt: 9, endChain: Buffer.alloc(32, 8), level: 3 };
  const chunkOf = (entries: Entry[], codec = zstd) =>
    encodeChunk(entries, about, codec, xxh64, header.salt);

  it('has every field where the format says', () => {
    const entries = entriesOf(5);
    const { header: bytes, stored } = chunkOf(entries);
    expect(bytes).toHaveLength(104);
    expect(bytes.readBigUInt64LE(0)).toBe(1n);
    expect(bytes.readBigUInt64LE(8)).toBe(BigInt(entries[0]!.hlc.ms) * 65536n + 1n);
    expect([16, 24, 32].map((at) => bytes.readBigUInt64LE(at))).toEqual([5n, 9n, 128n]);
    const packed = packRecords(entries);
    expect([40, 44, 48].map((at) => bytes.readUInt32LE(at))).toEqual([
      stored.length,
      packed.length,
      5,
    ]);
    expect([bytes[52], ...bytes.subarray(53, 56)]).toEqual([2, 0, 0, 0]);
    expect(bytes.readBigUInt64LE(56)).toBe(xxh64(packed, header.salt));
    expect(bytes.subarray(64, 96)).toEqual(about.endChain);
    expect(bytes.readBigUInt64LE(96)).toBe(xxh64(bytes.subarray(0, 96), header.salt));
    expect(decodeChunkHeader(bytes, header.salt, xxh64, 128)).toMatchObject({
      firstSeq: 1,
      count: 5,
      method: 2,
      minAt: 5,
    });
  });

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

  it.each<[string, (b: Buffer) => number]>([
    [
      'more plain bytes than a chunk has',
      (b) => b.writeUInt32LE(CHUNK_BYTES_MAX + 1, CHUNK.plainBytes),
    ],
    ['more records than its bytes can hold', (b) => b.writeUInt32LE(100_000, CHUNK.count)],
    ['no records', (b) => b.writeUInt32LE(0, CHUNK.count)],
    ['a reserved byte', (b) => b.writeUInt8(1, CHUNK.reserved)],
  ])('is not believed when its writer lies: %s', (_, change) => {
    const { header: bytes } = chunkOf(entriesOf(2));
    change(bytes);
    bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, 96), header.salt), 96);
    expect(decodeChunkHeader(bytes, header.salt, xxh64)).toBeUndefined();
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

  it('has every field where the format says, and comes back', () => {
    expect(bytes).toHaveLength(128);
    expect([0, 8, 24, 32].map((at) => bytes.readBigUInt64LE(at))).toEqual([
      2n ** 40n,
      7n * 65536n + 8n,
      500n,
      700n,
    ]);
    expect([bytes.readUInt32LE(16), bytes.readUInt32LE(20), bytes[40]]).toEqual([9, 2, 19]);
    expect(bytes.subarray(48, 80)).toEqual(footer.endChain);
    expect(bytes.subarray(80, 112)).toEqual(footer.digest);
    expect(bytes.readBigUInt64LE(112)).toBe(xxh64(bytes.subarray(0, 112), 0n));
    expect(bytes.subarray(120)).toEqual(Buffer.from('BEN10Z\0\x01', 'latin1'));
    expect(decodeFooter(bytes, xxh64)).toEqual(footer);
  });

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

  it('has a chunk of its own for an event that is larger than a chunk', () => {
    const big = entryOf(2, Buffer.alloc(BODY_BYTES_MAX - SALT_BYTES, 5));
    const read = readBack(
      sealSegment(
        header,
        [entryOf(1, payloadOf(1)), big, entryOf(3, payloadOf(3))],
        3,
        zstd,
        xxh64,
      ),
    );
    expect(read.sealed.chunks.map((chunk) => chunk.count)).toEqual([1, 1, 1]);
    expect(read.entries.map((entry) => entry.seq)).toEqual([1, 2, 3]);
  });

  it('tells the progress of sealing', () => {
    const heard: number[] = [];
    sealSegment(header, entries, 1, zstd, xxh64, (done) => void heard.push(done));
    expect(heard.at(-1)).toBe(400);
    expect(heard).toEqual([...heard].sort((a, b) => a - b));
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
  const [first, second] = sealed.chunks;
  const inFirst = first!.count;

  it('loses only the chunk that is hit', () => {
    const damaged = Buffer.from(bytes).fill(
      0,
      second!.offset + CHUNK_HEADER_BYTES,
      second!.offset + CHUNK_HEADER_BYTES + 20,
    );
    const read = readBack(damaged);
    const lost = [second!.firstSeq, second!.firstSeq + second!.count - 1];
    expect(read.damage).toEqual([
      {
        kind: 'chunk',
        offset: second!.offset,
        bytes: CHUNK_HEADER_BYTES + second!.storedBytes,
        firstSeq: lost[0],
        lastSeq: lost[1],
      },
    ]);
    expect(read.entries.map((entry) => entry.seq)).toEqual(
      entries.map((entry) => entry.seq).filter((seq) => seq < lost[0]! || seq > lost[1]!),
    );
  });

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

  it('finds its chunks when index and one chunk header are hit', () => {
    const damaged = Buffer.from(bytes);
    damaged[sealed.footer!.indexOffset]! ^= 1;
    damaged[second!.offset + 5]! ^= 1;
    const read = readBack(damaged);
    expect(read.damage).toMatchObject([
      {
        kind: 'chunk',
        firstSeq: inFirst + 1,
        lastSeq: inFirst + second!.count,
        offset: second!.offset,
      },
      { kind: 'index', firstSeq: null, lastSeq: null },
    ]);
    expect(read.entries).toHaveLength(90 - second!.count);
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

  it('without any chunk says where it began', () => {
    expect(readBack(bytes.subarray(0, 300))).toMatchObject({
      entries: [],
      damage: [{ kind: 'index', offset: 128, firstSeq: 1, lastSeq: null }],
    });
    expect(readBack(bytes.subarray(0, 128))).toMatchObject({
      entries: [],
      damage: [{ kind: 'index' }],
    });
  });

  it('keeps a prefix of its chunks at every truncation', () => {
    for (let length = 128; length < bytes.length; length += 997) {
      const read = readBack(bytes.subarray(0, length));
      const whole = sealed.chunks.filter(
        (chunk) => chunk.offset + CHUNK_HEADER_BYTES + chunk.storedBytes <= length,
      );
      expect(read.entries, `${length}`).toHaveLength(
        whole.reduce((sum, chunk) => sum + chunk.count, 0),
      );
      expect(read.damage.length).toBeGreaterThan(0);
    }
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

  it.each<[string, (footer: Buffer) => void]>([
    ['an index beyond the end', (f) => f.writeUInt32LE(0xffffffff, FOOTER.indexOffset)],
    ['an index before the chunks', (f) => f.writeBigUInt64LE(0n, FOOTER.indexOffset)],
    ['more chunks than there are', (f) => f.writeUInt32LE(0xffffffff, FOOTER.chunks)],
    ['fewer chunks than there are', (f) => f.writeUInt32LE(1, FOOTER.chunks)],
  ])('is still read when its footer lies: %s', (_, change) => {
    const read = readBack(resummed(bytes, change));
    expect(read.entries).toHaveLength(90);
    expect(read.damage).toMatchObject([{ kind: 'index' }]);
  });

  it('is still read when index and footer agree on fewer chunks than there are', () => {
    const copy = Buffer.from(bytes);
    const { indexOffset } = sealed.footer!;
    const one = copy.subarray(indexOffset, indexOffset + CHUNK_HEADER_BYTES);
    copy.writeBigUInt64LE(xxh64(one, header.salt), indexOffset + CHUNK_HEADER_BYTES);
    const read = readBack(resummed(copy, (f) => f.writeUInt32LE(1, FOOTER.chunks)));
    expect(read.entries).toHaveLength(90);
    expect(read.damage).toMatchObject([{ kind: 'index', firstSeq: null }]);
  });

  it('has a chunk of a method that nobody knows: a later version’s, not lost', () => {
    const about = { offset: 128, minAt: 0, maxAt: 0, endChain: Buffer.alloc(32), level: 3 };
    const { header: head, stored } = encodeChunk(entriesOf(2), about, raw, xxh64, header.salt);
    head.writeUInt8(7, CHUNK.method);
    head.writeBigUInt64LE(xxh64(head.subarray(0, 96), header.salt), 96);
    const file = Buffer.concat([bytes.subarray(0, 128), head, stored]);
    expect(() => readBack(file)).toThrow(expect.objectContaining({ code: 'JOURNAL_FOREIGN' }));
  });
});
