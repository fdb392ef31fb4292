import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { putBlob } from '../../src/journal/append/blobs.ts';
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { eraseEvents } from '../../src/journal/erase/erase.ts';
import { dropEvents } from '../../src/journal/erase/retention.ts';
import { decodeEnvelope, typeTag } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { bytesOf, EPOCH_MS, sha256 } from './bytes.ts';
import { type Draft, draft, drafts, ORIGIN_A } from './compose.ts';
import type { ExpectedEvent, MadeVector } from './model.ts';
import { BLOB_KEY, manifestFile } from './vector.ts';

const SEGMENT_BYTES = 1024;

/**
 * Journals that the program itself wrote, for the version of the format that is frozen with them. Made once, by
 * `node tools/make-vectors.mjs --freeze`: from then on later programs may write differently, but must read these.
 */
export const evolutionVectors = (version: number, codecs: Codecs): MadeVector[] => [
  journalVector(
    `evolution/${version}/appended`,
    'What writers and a compaction leave: rotations, an inbox taken in, sealed segments, then an active one.',
    codecs,
    appendAll,
  ),
  journalVector(
    `evolution/${version}/erased-and-repaired`,
    'What an erasure of sealed and active events leaves, then a flipped bit and its repair, then more appends.',
    codecs,
    eraseAndRepair,
  ),
  journalVector(
    `evolution/${version}/dropped-and-copied/journal`,
    'What a drop of old events leaves, with a blob, then a copy of the folder that goes on: a former origin, an event that waits.',
    codecs,
    dropAndCopy,
  ),
];

/** @returns what waits in the inbox at the end */
type Write = (root: string, ports: MovingPorts, codecs: Codecs) => Draft[];

function journalVector(to: string, why: string, codecs: Codecs, write: Write): MadeVector {
  const root = mkdtempSync(path.join(tmpdir(), 'ben10-vectors-'));
  try {
    nodeFs.mkdir(`${root}/journal`);
    writeFileSync(`${root}/journal/manifest`, manifestFile());
    const ports = new MovingPorts();
    const waiting = write(root, ports, codecs).map(({ type, payload, label }) => ({
      ...{ type: type!, id: bytesOf(`${label} id`, 16).toString('hex'), sha256: sha256(payload) },
    }));
    const read = [...new JournalReader(ports.of(), root, codecs.decoders).entries()];
    const events = read.flatMap((one) => ('entry' in one ? [expected(one.entry)] : []));
    const vector = {
      ...{ path: to, kind: 'journal' as const, why },
      ...{ events, waiting, damage: [] },
    };
    const blobs = [...filesUnder(path.join(root, 'blobs'), '../blobs/')];
    return { vector, files: new Map([...filesUnder(path.join(root, 'journal')), ...blobs]) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const expected = ({ kind, seq, id, payload }: Entry): ExpectedEvent => ({
  seq,
  type: kind === FRAME_KIND.tombstone ? null : decodeEnvelope(payload).type,
  id: id.toString('hex'),
  sha256: kind === FRAME_KIND.tombstone ? null : sha256(payload),
});

function appendAll(root: string, ports: MovingPorts, codecs: Codecs): Draft[] {
  const turn = draft('turn', { type: 'turn.ended', data: {} });
  append(root, ports, [...drafts('written', 12), turn]);
  append(root, ports, drafts('spooled', 2), { lock: undefined });
  // Takes the spooled ones along, before its own.
  append(root, ports, drafts('written later', 3));
  compactJournal(ports.of(), root, codecs, { level: 3 });
  append(root, ports, drafts('written last', 2));
  return [];
}

function eraseAndRepair(root: string, ports: MovingPorts, codecs: Codecs): Draft[] {
  append(root, ports, drafts('before', 6));
  compactJournal(ports.of(), root, codecs, { level: 3 });
  append(root, ports, drafts('behind', 2));
  eraseEvents(ports.of(), root, codecs, () => ({
    by: 'event',
    events: [2, 8].map((seq) => ({ origin: ORIGIN_A, seq })),
    blobs: [],
    files: [],
  }));
  append(root, ports, drafts('later', 4));
  flipOneBit(path.join(root, 'journal', ORIGIN_A));
  repairJournal(ports.of(), root, codecs.decoders);
  append(root, ports, drafts('behind the repair', 2));
  return [];
}

function dropAndCopy(root: string, ports: MovingPorts, codecs: Codecs): Draft[] {
  const text = Buffer.from('A text that is kept beside the journal.');
  const blob = putBlob(ports.of(), layoutOf(root), BLOB_KEY, text);
  const data = { text: { $blob: blob, bytes: text.length, head: 'A text' } };
  append(root, ports, [...drafts('old', 6), draft('kept, with a blob', { data })]);
  compactJournal(ports.of(), root, codecs, { level: 3 });
  append(root, ports, drafts('newer', 2));
  const state = { projection: 'sessions', version: 1, upto: 7, state: '{}', frontier: [] };
  const base = newEvent(draft('the state', { type: 'journal.based', data: state }));
  const bases = [base];
  dropEvents(ports.of(), root, codecs, () => ({ upto: 7, kept: [3, 7], also: [], bases }));
  ports.folder = 2;
  append(root, ports, drafts('in the copy', 3));
  const waiting = drafts('waiting', 1);
  append(root, ports, waiting, { lock: undefined });
  return waiting;
}

/** In the last payload of the newest segment. */
function flipOneBit(folder: string): void {
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith('.b10'))
    .sort()
    .at(-1)!;
  const file = path.join(folder, newest);
  const bytes = readFileSync(file);
  bytes[bytes.length - 60]! ^= 1;
  writeFileSync(file, bytes);
}

function append(
  root: string,
  ports: MovingPorts,
  list: Draft[],
  fields: Partial<JournalPorts> = {},
) {
  const options = { lockBudgetMs: 0, segmentBytes: SEGMENT_BYTES };
  const writer = new JournalWriter({ ...ports.of(), ...fields }, root, options);
  for (const event of list) {
    ports.ms += 1000;
    writer.append([newEvent(event)]);
  }
  writer.close();
}

const newEvent = (one: Draft): NewEvent => ({
  id: bytesOf(`${one.label} id`, 16),
  typeTag: typeTag(one.type!, xxh64),
  payload: one.payload,
  durability: one.type === 'turn.ended' ? 'disk' : 'process',
});

/** A clock that moves when told to, bytes that depend on how many are asked for, a lock that nobody else wants. */
class MovingPorts {
  ms = EPOCH_MS;
  /** The inode of every folder: another one is a copy. */
  folder = 1;
  readonly #asked = new Map<number, number>();

  of(): JournalPorts {
    return {
      // The folder that is made for this is another one each time.
      fs: { ...nodeFs, stat: (file) => ({ ...nodeFs.stat(file), ino: this.folder, bornMs: 0 }) },
      clock: { now: () => this.ms, sleep: () => undefined },
      random: { fill: (bytes) => this.#fill(bytes) },
      lock: { tryLock: () => true, unlock: () => undefined },
      xxh64,
      stored: [],
    };
  }

  #fill(bytes: Uint8Array): void {
    const count = (this.#asked.get(bytes.length) ?? 0) + 1;
    this.#asked.set(bytes.length, count);
    bytes.set(bytesOf(`random ${bytes.length} #${count}`, bytes.length));
  }
}

/** Empty files and folders are left out: version control would not keep the folders. */
function filesUnder(folder: string, prefix = ''): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  if (!existsSync(folder)) return files;
  for (const name of readdirSync(folder).sort()) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) {
      for (const [inner, bytes] of filesUnder(file, `${prefix}${name}/`)) files.set(inner, bytes);
    } else if (statSync(file).size > 0) files.set(`${prefix}${name}`, readFileSync(file));
  }
  return files;
}
