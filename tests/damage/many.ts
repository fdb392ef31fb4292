import { createHash } from 'node:crypto';
import { blobPath } from '../../src/journal/append/blobs.ts';
import { REPAIRED_TYPE } from '../../src/journal/append/own-events.ts';
import { encodeContainer, type Packing } from '../../src/journal/format/container.ts';
import { encodeEnvelope, typeTag } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { LOSSES_VERSION } from '../../src/journal/verify/gaps.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import type { Hash64 } from '../../src/platform/xxh64.ts';
import { Chance } from './chance.ts';
import { inChunks, smallJournals } from './corpus.ts';
import { entriesOf, entryOf, payloadOf, START_MS } from './entries.ts';
import { BLOB_KEY, craftJournal, type Makers, put, ROOT, type TestJournal } from './journal.ts';

/** What an agent's tools write: words that come again, and some that do not. */
function prose(seed: number, bytes: number): string {
  const chance = new Chance(seed);
  const words: string[] = [];
  for (let length = 0; length < bytes; length += words.at(-1)!.length + 1)
    words.push(chance.coin() ? chance.pick(WORDS) : chance.bytes(4).toString('hex'));
  return words.join(' ').slice(0, bytes);
}

const WORDS = ['const', 'return', 'import', 'error', 'file', 'line', 'test', 'function', 'tests/'];

/** Events of so many bytes of text each. */
const proseOf = (first: number, count: number, bytes: number): Entry[] =>
  Array.from({ length: count }, (_, index) => {
    const seq = first + index;
    return entryOf(seq, payloadOf({ seq, text: prose(seq, bytes) }), FRAME_KIND.event);
  });

/** What no codec makes smaller. */
const noise = (seq: number, bytes: number): Entry =>
  entryOf(seq, payloadOf({ seq, noise: new Chance(seq).bytes(bytes) }), FRAME_KIND.event);

/** Erased events between others. */
const tombstonesOf = (first: number, count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => {
    const kind = index % 4 === 3 ? FRAME_KIND.event : FRAME_KIND.tombstone;
    return entryOf(first + index, payloadOf({ kept: prose(first + index, 300) }), kind);
  });

/** Tells that the seqs before were lost. */
function repaired(seq: number, xxh64: Hash64, lost: object[]): Entry {
  const payload = encodeEnvelope({
    type: REPAIRED_TYPE,
    version: LOSSES_VERSION,
    session: null,
    agent: null,
    client: null,
    source: 'journal',
    at: START_MS,
    data: { kind: 'repair', repaired: [], kept: [], lost },
  });
  return { ...entryOf(seq, payload, FRAME_KIND.event), typeTag: typeTag(REPAIRED_TYPE, xxh64) };
}

/** A text beside the journal, which one event refers to, in blocks of every method: the target is the text's file. */
function blobJournal(method: string, bytes: number, makers: Makers): TestJournal {
  const text = Buffer.from(prose(bytes, bytes));
  const name = createHash('sha256')
    .update('ben10/blob/1')
    .update(Buffer.from(BLOB_KEY, 'hex'))
    .update(text)
    .digest('hex');
  const reference = { $blob: name, bytes: text.length, head: text.toString('latin1', 0, 100) };
  const referring = entryOf(2, payloadOf({ output: reference }), FRAME_KIND.event);
  const events = [entriesOf(1, 1, 9)[0]!, referring, ...entriesOf(3, 1, 9)];
  const journal = craftJournal(`blob, ${method}`, [events], 0, makers);
  const packings: { [method: string]: Packing } = {
    lz4: { method: 'lz4', codec: lz4Codec, level: 0 },
    zstd: { method: 'zstd', codec: makers.zstd, level: 3 },
  };
  const file = encodeContainer(text, makers.xxh64, packings[method]);
  const layout = layoutOf(ROOT);
  const target = blobPath(layout, name);
  journal.fs.mkdir(layout.blobs);
  journal.fs.mkdir(target.slice(0, target.lastIndexOf('/')));
  put(journal.fs, target, file);
  const stretches = [{ start: 0, end: file.length, firstSeq: 2, lastSeq: 2 }];
  return { ...journal, target, stretches, text };
}

/** Enough of them that their bits are more than half a million: of each kind of file, and of what may stand in it. */
export function manyJournals(makers: Makers): TestJournal[] {
  const craft = (name: string, plans: Parameters<typeof craftJournal>[1], target = 0) =>
    craftJournal(name, plans, target, makers);
  const recording = (journal: TestJournal): TestJournal => ({ ...journal, recorded: [3] });
  const lost = [{ segment: 'elsewhere', firstSeq: 3, lastSeq: 5 }];
  const behindLoss = [
    ...proseOf(6, 1, 700),
    repaired(7, makers.xxh64, lost),
    ...proseOf(8, 1, 500),
  ];
  const [first, ...rest] = behindLoss;
  return [
    ...smallJournals(makers),
    craft('raw, two long events', [proseOf(1, 2, 1500)]),
    craft('raw, one long event', [proseOf(1, 1, 4800)]),
    craft('raw, noise', [[noise(1, 2700), noise(2, 1000)]]),
    craft('raw, long, newest of two', [proseOf(1, 1, 40), proseOf(2, 2, 2700)], 1),
    craft('raw, long, before a sealed one', [proseOf(1, 2, 1300), { chunks: [proseOf(3, 1, 50)] }]),
    craft('raw, tombstones', [tombstonesOf(1, 8)]),
    recording(craft('raw, behind a recorded loss', [proseOf(1, 2, 60), behindLoss], 1)),
    craft('sealed, two long chunks', [{ chunks: inChunks(proseOf(1, 4, 700), 2) }]),
    craft('sealed, one long chunk', [{ chunks: [proseOf(1, 2, 2700)] }]),
    craft('sealed, chunks stored as they are', [{ chunks: [[noise(1, 1200)], [noise(2, 800)]] }]),
    craft('sealed, tombstones', [{ chunks: inChunks(tombstonesOf(1, 8), 4) }]),
    recording(
      craft('sealed, behind a recorded loss', [proseOf(1, 2, 60), { chunks: [[first!], rest] }], 1),
    ),
    craft(
      'sealed, long, between two',
      [proseOf(1, 1, 40), { chunks: [proseOf(2, 3, 700)] }, proseOf(5, 1, 40)],
      1,
    ),
    blobJournal('raw', 1500, makers),
    blobJournal('lz4', 2000, makers),
    blobJournal('zstd', 2600, makers),
  ];
}
