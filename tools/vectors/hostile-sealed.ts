import {
  CHUNK,
  FOOTER,
  FRAME_KIND,
  RECORD_HEAD,
  RECORD_HEAD_BYTES,
  SEGMENT,
  SEGMENT_FLAG,
} from '../../src/journal/format/format.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { draft, drafts, FIRST, type Segment, segment, withBytes } from './compose.ts';
import { mendSegmentHeader } from './mend.ts';
import type { ExpectedDamage, MadeVector } from './model.ts';
import {
  type Chunk,
  describe,
  type Parts,
  placesOf,
  putTogether,
  sealed,
  storing,
  takeApart,
} from './sealed.ts';
import { threeChunks } from './valid-sealed.ts';
import { damage, eventsOf, journal } from './vector.ts';
import { ZSTD_MAGIC, zstdOfRuns } from './zstd-runs.ts';

/** No content size, a window of 128 KiB, one stored block of no bytes. */
const EMPTY_FRAME = Buffer.concat([ZSTD_MAGIC, Buffer.from([0x00, 0x38, 0x01, 0x00, 0x00])]);

/** Sealed segments made to mislead. Every checksum, offset and digest is sound: an attacker can compute them too. */
export function hostileSealedVectors(zstd: Codec): MadeVector[] {
  const made = sealed(threeChunks('hostile sealed'), zstd);
  const at = placesOf(made.bytes);
  const second = at.chunks[1]!.offset;
  const chunk = [damage('chunk', made, second, 3, 4)];
  const edit = (
    name: string,
    why: string,
    list: ExpectedDamage[],
    lost: number[],
    change: (parts: Parts) => void,
  ) => {
    const parts = takeApart(made.bytes);
    change(parts);
    return broken(name, why, withBytes(made, putTogether(parts)), list, lost);
  };
  return [
    edit(
      'chunk-huge',
      'A chunk that claims to unpack to 4 GiB; the index that lists it is not believed, the other chunks are found.',
      [...chunk, damage('index', made, at.indexOffset, null, null)],
      [3, 4],
      (parts) => parts.chunks[1]!.header.writeUInt32LE(0xffff_fff0, CHUNK.plainBytes),
    ),
    edit('chunk-bomb', 'A chunk of 32 KiB that unpacks to 1 GiB.', chunk, [3, 4], (parts) => {
      parts.chunks[1]!.stored = zstdOfRuns(0x41, 8192);
    }),
    edit(
      'chunk-count-huge',
      'A chunk that claims more records than its bytes can hold.',
      [...chunk, damage('index', made, at.indexOffset, null, null)],
      [3, 4],
      (parts) => parts.chunks[1]!.header.writeUInt32LE(0xffff_ffff, CHUNK.count),
    ),
    edit('chunk-method', 'A chunk of an unknown method.', chunk, [3, 4], (parts) =>
      parts.chunks[1]!.header.writeUInt8(7, CHUNK.method),
    ),
    edit('chunk-noise', 'A chunk whose stored bytes are no Zstd frame.', chunk, [3, 4], (parts) =>
      parts.chunks[1]!.stored.fill(0x99),
    ),
    edit(
      'footer-seq',
      'A footer whose lastSeq is 2^53; the index is sound.',
      [damage('index', made, at.indexOffset, null, null)],
      [],
      (parts) => parts.footer.writeBigUInt64LE(2n ** 53n, FOOTER.lastSeq),
    ),
    edit(
      'footer-reserved',
      'A footer whose reserved bytes are not zero is none.',
      [damage('index', made, at.indexOffset, null, null)],
      [],
      (parts) => parts.footer.writeUInt8(1, FOOTER.reserved),
    ),
    edit(
      'chunk-two-frames',
      'A chunk of two Zstd frames, the second one empty.',
      chunk,
      [3, 4],
      (parts) => {
        const one = parts.chunks[1]!;
        one.stored = Buffer.concat([one.stored, EMPTY_FRAME]);
      },
    ),
    ...lengths(zstd),
    seqJumps(),
    ...records(),
    ...chunkSeqs(zstd),
    idTable(),
    indexLies(zstd),
    ...wrongFlag(zstd),
  ];
}

function broken(
  name: string,
  why: string,
  made: Segment,
  list: ExpectedDamage[],
  lost: number[],
): MadeVector {
  return journal(`hostile/sealed-${name}`, why, [made], {
    events: eventsOf([made], lost),
    damage: list,
  });
}

/** What a chunk unpacks to must be exactly as long as it says: some decoders cut or pad without a word. */
function lengths(zstd: Codec): MadeVector[] {
  const data = { data: Buffer.concat([Buffer.from('ends in zeros'), Buffer.alloc(2000)]) };
  const before = segment('hostile lengths', FIRST, [draft('length 1'), draft('length 2', data)]);
  const made = sealed(before, storing);
  const lost = [damage('chunk', made, 128, 1, 2)];
  const build = (stored: (plain: Buffer) => Buffer): Segment => {
    const parts = takeApart(made.bytes);
    const chunk = parts.chunks[0]!;
    chunk.header.writeUInt8(2, CHUNK.method);
    const packed = zstd.compress(stored(chunk.stored), 3);
    if (packed === undefined) throw new Error('the chunk did not shrink');
    chunk.stored = Buffer.from(packed);
    return withBytes(made, putTogether(parts));
  };
  return [
    broken(
      'chunk-longer',
      'A chunk that unpacks to more than it says; the bytes before the surplus are the right ones.',
      build((plain) => Buffer.concat([plain, Buffer.alloc(1000, 0x42)])),
      lost,
      [1, 2],
    ),
    broken(
      'chunk-shorter',
      'A chunk that unpacks to less than it says; what is not there would be zeros.',
      build((plain) => plain.subarray(0, plain.length - 1000)),
      lost,
      [1, 2],
    ),
  ];
}

/** A record whose seq runs ahead would hide every later event from a reader that expects rising seqs. */
function seqJumps(): MadeVector {
  const made = sealed(segment('hostile seqs', FIRST, drafts('seq', 3)), storing);
  const parts = takeApart(made.bytes);
  const chunk = parts.chunks[0]!;
  chunk.stored.writeBigUInt64LE(900n, RECORD_HEAD_BYTES + RECORD_HEAD.seq);
  describe(chunk, chunk.stored, made.header.salt);
  return broken(
    'seq-jumps',
    'A chunk whose records do not have the seqs that its header says.',
    withBytes(made, putTogether(parts)),
    [damage('chunk', made, 128, 1, 3)],
    [1, 2, 3],
  );
}

/** Records that no frame could have been. */
function records(): MadeVector[] {
  const tombstone = { ...draft('record 2'), kind: FRAME_KIND.tombstone, type: null };
  const list = [draft('record 1'), tombstone, draft('record 3')];
  const made = sealed(segment('hostile records', FIRST, list), storing);
  const one = (name: string, why: string, change: (plain: Buffer) => void): MadeVector => {
    const parts = takeApart(made.bytes);
    const chunk = parts.chunks[0]!;
    change(chunk.stored);
    describe(chunk, chunk.stored, made.header.salt);
    const bytes = withBytes(made, putTogether(parts));
    return broken(name, why, bytes, [damage('chunk', made, 128, 1, 3)], [1, 2, 3]);
  };
  const salt = list.length * RECORD_HEAD_BYTES + 32 + 16;
  return [
    one('tombstone-salt', 'A tombstone in a chunk that kept its salt.', (plain) =>
      plain.fill(7, salt, salt + 16),
    ),
    one('record-kind', 'A record of kind 5.', (plain) => plain.writeUInt8(5, RECORD_HEAD.kind)),
    one('record-flag', 'A record with an unknown flag.', (plain) =>
      plain.writeUInt8(0x40, RECORD_HEAD.flags),
    ),
  ];
}

/** Chunks that are each sound, under an index and a digest that are sound too. */
function chunkSeqs(zstd: Codec): MadeVector[] {
  const made = sealed(threeChunks('hostile chunk seqs'), zstd);
  const at = placesOf(made.bytes);
  const [first, second, third] = takeApart(made.bytes).chunks as [Chunk, Chunk, Chunk];
  const rest = at.indexOffset - at.chunks[2]!.offset;
  const build = (chunks: Chunk[]): Segment =>
    withBytes(made, putTogether({ ...takeApart(made.bytes), chunks }));
  const middle = at.chunks[1]!.offset;
  const back = middle + (at.indexOffset - at.chunks[2]!.offset);
  return [
    broken(
      'chunk-left-out',
      'A chunk was left out of file and index: the seqs tell.',
      build([first, third]),
      [damage('chunk', made, middle, 3, 4), damage('index', made, middle + rest, null, null)],
      [3, 4],
    ),
    broken(
      'chunks-swapped',
      'Two chunks stand in each other’s place: what goes back is not taken.',
      build([first, third, second]),
      [damage('chunk', made, middle, 3, 4), damage('index', made, back, null, null)],
      [3, 4],
    ),
  ];
}

function idTable(): MadeVector {
  const made = sealed(segment('hostile ids', FIRST, drafts('id', 4)), storing);
  const parts = takeApart(made.bytes);
  parts.ids.fill(0x11);
  return broken(
    'ids-lie',
    'An id table that names other ids than the events have, so that a repeated event would be taken for new.',
    withBytes(made, putTogether(parts)),
    [damage('index', made, placesOf(made.bytes).indexOffset, null, null)],
    [],
  );
}

/** The index names the first chunk twice; the chunks themselves are in order. */
function indexLies(zstd: Codec): MadeVector {
  const made = sealed(threeChunks('hostile index'), zstd);
  const at = placesOf(made.bytes);
  const parts = takeApart(made.bytes);
  const [first, , third] = parts.chunks;
  return broken(
    'index-lies',
    'An index that lists one chunk twice and another not at all.',
    withBytes(made, putTogether(parts, [first!, first!, third!])),
    [damage('index', made, at.indexOffset, null, null)],
    [],
  );
}

function wrongFlag(zstd: Codec): MadeVector[] {
  const raw = segment('hostile flag', FIRST, drafts('flag', 2));
  const packed = sealed(raw, zstd);
  const bytes = Buffer.from(raw.bytes);
  bytes.writeUInt32LE(SEGMENT_FLAG.sealed, SEGMENT.flags);
  const list = (made: Segment) => [damage('segment-header', made, 0, 1, null)];
  const cases: [string, string, Segment][] = [
    ['flag-missing', 'Frames under a sealed segment’s name.', withBytes(packed, raw.bytes)],
    [
      'flag-surplus',
      'A flag that says sealed in an active segment.',
      withBytes(raw, mendSegmentHeader(bytes)),
    ],
  ];
  return cases.map(([name, why, made]) =>
    journal(`hostile/${name}`, why, [made], { events: [], damage: list(made) }),
  );
}
