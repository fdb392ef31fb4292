import { encodeEnvelope } from '../../src/journal/format/envelope.ts';
import { CHUNK, FOOTER, FOOTER_BYTES, FRAME, FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { flipped } from './bytes.ts';
import {
  after,
  type Draft,
  draft,
  draftOf,
  drafts,
  envelopeOf,
  FIRST,
  frameAt,
  segment,
  withBytes,
} from './compose.ts';
import { hintFile } from './hints.ts';
import { mendDigest } from './mend.ts';
import type { MadeVector } from './model.ts';
import * as m from './msgpack.ts';
import { placesOf, putTogether, sealed, takeApart } from './sealed.ts';
import { threeChunks } from './valid-sealed.ts';
import { damage, eventsOf, journal } from './vector.ts';

/** First and last values that a rule is about: one event lost, the last seq, kind 128, no chunk. */
export function edgeVectors(zstd: Codec): MadeVector[] {
  return [...envelopes(), ...seqs(zstd), ...oneLost(zstd), ...emptied(zstd), chunkOfLz4(zstd)];
}

/** Payloads that are envelopes but for the type of one value; then what is just one. */
function envelopes(): MadeVector[] {
  const whole = envelopeOf('edge', {});
  const wrong = ['type', 'version', 'session', 'agent', 'client', 'source', 'at'].map((field) => {
    const value = field === 'version' || field === 'at' ? 'x' : 7;
    const payload = encodeEnvelope({ ...whole, [field]: value });
    const one = draftOf(`edge ${field}`, '', payload);
    return { ...one, type: null, expect: { refused: true } } as Draft;
  });
  const empty = m.rawDraft('edge empty map', Buffer.from([0x80]), { data: {} });
  return [
    journal(
      'hostile/envelope-types',
      'Seven payloads, in each of which another one of the first seven values has a wrong type.',
      [segment('edge types', FIRST, wrong)],
    ),
    journal('valid/empty-map', 'The shortest map, whose byte follows the largest small number.', [
      segment('edge empty map', FIRST, [empty]),
    ]),
    journal('valid/skippable-kind-128', 'The first kind that is skipped.', [
      segment('edge 128', FIRST, [{ ...draft('of kind 128'), kind: 128 }, draft('after 128')]),
    ]),
  ];
}

function seqs(zstd: Codec): MadeVector[] {
  const firstSeq = Number.MAX_SAFE_INTEGER;
  const start = { ...FIRST, firstSeq, prevChain: Buffer.alloc(32, 5), ms: 1_767_225_600_000 };
  const last = segment('last seq', start, drafts('last seq', 1));
  const packed = sealed(last, zstd);
  return [last, packed].map((made) =>
    journal(
      `hostile/last-seq${made === packed ? '-sealed' : ''}`,
      'The last seq that there is, in a segment of its own.',
      [made],
      { damage: [damage('missing', made, 0, 1, firstSeq - 1)] },
    ),
  );
}

/** Ranges of one seq. */
function oneLost(zstd: Codec): MadeVector[] {
  const one = segment('edge tail', FIRST, drafts('edge tail', 3));
  const two = segment('edge tail next', after(one), drafts('edge tail next', 1));
  const { offset } = frameAt(one, 3);
  const made = sealed(threeChunks('edge chunks', 5), zstd);
  const { chunks, footerOffset, indexOffset } = placesOf(made.bytes);
  const third = chunks[2]!.offset;
  if (footerOffset < third || chunks[2]!.lastSeq !== chunks[2]!.firstSeq)
    throw new Error('the last chunk must have one record');
  const tombstone = { ...draft('edge tombstone'), kind: FRAME_KIND.tombstone, type: null };
  const small = segment('edge tombstone', FIRST, [...drafts('edge tombstone', 2), tombstone]);
  const second = frameAt(small, 2).offset;
  return [
    journal(
      'corrupt/tail-of-one',
      'One event is lost at the end of a segment, by the name of the next one.',
      [withBytes(one, one.bytes.subarray(0, offset + 60)), two],
      { events: eventsOf([one, two], [3]), damage: [damage('tail', one, offset, 3, 3)] },
    ),
    journal('torn/synced-one-alone', 'All that there was is one event, which is gone.', [], {
      files: { [`${one.origin}/synced`]: hintFile(1) },
      damage: [damage('missing', { name: 'synced' }, 0, 1, 1)],
    }),
    journal(
      'corrupt/sealed-last-chunk-of-one',
      'Index and last chunk header are damaged: the footer tells of the one event behind.',
      [withBytes(made, flipped(flipped(made.bytes, third + CHUNK.count), indexOffset + 3))],
      { events: eventsOf([made], [5]), damage: [damage('index', made, third, 5, 5)] },
    ),
    journal(
      'corrupt/header-then-tombstone',
      'The frame behind a damaged header is a tombstone, the shortest frame, and the last one.',
      [withBytes(small, flipped(small.bytes, second + FRAME.bodyBytes))],
      { events: eventsOf([small], [2]), damage: [damage('header', small, second, 2, 2)] },
    ),
  ];
}

/** Sealed files of which the chunks are gone, and what says how many there were is not. */
function emptied(zstd: Codec): MadeVector[] {
  const made = sealed(segment('edge emptied', FIRST, drafts('edge emptied', 4)), zstd);
  const next = segment('edge emptied next', after(made), drafts('edge emptied next', 1));
  const { footerOffset } = placesOf(made.bytes);
  const header = made.bytes.subarray(0, 128);
  const footer = Buffer.from(made.bytes.subarray(footerOffset));
  const sum = Buffer.alloc(8);
  sum.writeBigUInt64LE(xxh64(Buffer.alloc(0), made.header.salt));
  const none = Buffer.concat([header, sum, sum, footer]);
  const end = none.length - FOOTER_BYTES;
  none.writeUInt32LE(0, end + FOOTER.count);
  none.writeUInt32LE(0, end + FOOTER.chunks);
  none.writeBigUInt64LE(128n, end + FOOTER.indexOffset);
  none.writeBigUInt64LE(136n, end + FOOTER.idsOffset);
  return [
    journal(
      'corrupt/sealed-content-gone',
      'A sealed file of a header and a footer: the footer tells what is lost.',
      [withBytes(made, Buffer.concat([header, footer]))],
      { events: [], damage: [damage('index', made, 128, 1, 4)] },
    ),
    journal(
      'hostile/sealed-no-chunk',
      'A sealed file without any chunk, whose index says so: the index is believed, and what is not there is missing.',
      [withBytes(made, mendDigest(none)), next],
      {
        events: eventsOf([next]),
        damage: [damage('index', made, 128, null, null), damage('missing', next, 0, 1, 4)],
      },
    ),
  ];
}

function chunkOfLz4(zstd: Codec): MadeVector {
  const text = { data: { text: 'the same again '.repeat(200) } };
  const made = sealed(segment('edge lz4', FIRST, [draft('edge lz4', text)]), zstd);
  const parts = takeApart(made.bytes);
  const plain = takeApart(
    sealed(segment('edge lz4', FIRST, [draft('edge lz4', text)]), { compress: () => undefined })
      .bytes,
  ).chunks[0]!.stored;
  parts.chunks[0]!.stored = Buffer.from(lz4Codec.compress(plain, 0)!);
  parts.chunks[0]!.header.writeUInt8(1, CHUNK.method);
  return journal(
    'hostile/sealed-chunk-lz4',
    'A chunk packed with LZ4, which only containers have.',
    [withBytes(made, putTogether(parts))],
    { events: [], damage: [damage('chunk', made, 128, 1, 1)] },
  );
}
