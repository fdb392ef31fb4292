import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type NewEvent, readSpool } from '../../src/journal/append/inbox.ts';
import { decodeContainer, isLaterContainer } from '../../src/journal/format/container.ts';
import { decodeHead } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import { NO_HINT, readHint } from '../../src/journal/format/hint.ts';
import { readMsgpack } from '../../src/journal/format/msgpack-read.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import {
  type ExpectedDamage,
  type ExpectedEvent,
  type ExpectedWaiting,
  type JournalVector,
  sha256,
  type VectorManifest,
} from '../../tools/vectors/kit.ts';
import { decoders, realPorts, scratch } from '../support.ts';

const FORMAT = path.resolve(import.meta.dirname, '../../journal-format');
const VECTORS = path.join(FORMAT, 'vectors');
const manifest: VectorManifest = JSON.parse(
  readFileSync(path.join(VECTORS, 'manifest.json'), 'utf8'),
);

/** All files beneath a folder, by their path inside it. */
function filesUnder(folder: string, prefix = ''): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? filesUnder(file, `${prefix}${name}/`) : [prefix + name];
  });
}

/** A vector of which more than the journal's folder is given. */
const isWithBlobs = (vector: { path: string }): boolean => vector.path.endsWith('/journal');

/** The vector as the journal of a project, in a copy: verifying takes the journal's lock. */
function install(vector: JournalVector): string {
  const root = path.join(scratch(), '.ben10');
  mkdirSync(root);
  const folder = path.join(VECTORS, vector.path);
  if (existsSync(folder)) cpSync(folder, path.join(root, 'journal'), { recursive: true });
  for (const [name, target] of Object.entries(vector.links ?? {}))
    symlinkSync(target, path.join(root, 'journal', name));
  const blobs = path.join(folder, '../blobs');
  if (isWithBlobs(vector) && existsSync(blobs))
    cpSync(blobs, path.join(root, 'blobs'), { recursive: true });
  return root;
}

function waitingOf(event: NewEvent): ExpectedWaiting {
  const { type } = decodeHead(event.payload);
  return { type, id: event.id.toString('hex'), sha256: sha256(event.payload) };
}

/** What waits and is not there already, each event once: ids tell, as to everybody who shows events. */
function waitingIn(reader: JournalReader): ExpectedWaiting[] {
  const known = new Set<string>();
  for (const { entry } of reader.entries()) if (entry !== undefined) known.add(hex(entry.id));
  const isNew = ({ id }: NewEvent) => known.size < known.add(hex(id)).size;
  return reader.inbox().filter(isNew).map(waitingOf);
}

const hex = (bytes: Buffer): string => bytes.toString('hex');

/** What the manifest would say of an entry; `like` names the fields that are worth saying. */
function eventOf(entry: Entry, like: ExpectedEvent | undefined): ExpectedEvent {
  const id = entry.id.toString('hex');
  if (entry.kind === FRAME_KIND.tombstone) return { seq: entry.seq, type: null, id, sha256: null };
  const about = { seq: entry.seq, id, sha256: sha256(entry.payload) };
  let type: string | null = null;
  try {
    const head = decodeHead(entry.payload);
    type = head.type;
    const data = readMsgpack(entry.payload.subarray(head.dataOffset));
    return { ...about, type, ...(like !== undefined && 'data' in like ? { data } : {}) };
  } catch (error) {
    // Whatever is wrong with a payload, it is one of these two: never a crash, never an endless loop.
    expect((error as Error).constructor.name).toMatch(/^(RangeError|DecodeError)$/);
    return { ...about, type, refused: true };
  }
}

function read(root: string, expected: ExpectedEvent[]): ExpectedEvent[] {
  const entries: Entry[] = [];
  for (const item of new JournalReader(realPorts, root, decoders).entries()) {
    if (item.entry !== undefined) entries.push(item.entry);
  }
  return entries.map((entry, index) => eventOf(entry, expected[index]));
}

describe.each(manifest.vectors.filter((one) => one.kind === 'journal'))('$path: $why', (vector) => {
  if (vector.later === true) {
    it('is refused as the work of a later version', () => {
      const root = install(vector);
      const later = expect.objectContaining({ code: 'JOURNAL_FOREIGN' });
      expect(() => read(root, [])).toThrow(later);
      expect(() => verifyJournal(realPorts, root, decoders)).toThrow(later);
    });
    return;
  }

  it('gives the events that the manifest lists', () => {
    expect(read(install(vector), vector.events)).toEqual(vector.events);
  });

  it('gives the events that wait in the inbox', () => {
    const reader = new JournalReader(realPorts, install(vector), decoders);
    expect(waitingIn(reader)).toEqual(vector.waiting);
  });

  it('is verified with the damage that the manifest lists', () => {
    const found = verifyJournal(realPorts, install(vector), decoders);
    const damage = found.damage.map(({ kind, segment, offset, firstSeq, lastSeq }) => ({
      kind,
      segment,
      offset,
      firstSeq,
      lastSeq,
    }));
    const sorted = (list: ExpectedDamage[]) => list.map((one) => JSON.stringify(one)).sort();
    expect(sorted(damage)).toEqual(sorted(vector.damage));
    expect(found.ok).toBe(vector.damage.length === 0);
    expect(found.passed).toEqual(vector.passed ?? []);
  });
});

describe.each(manifest.vectors.filter((one) => one.kind === 'container'))(
  '$path: $why',
  (vector) => {
    it('gives the plain bytes, or nothing', () => {
      const bytes = readFileSync(path.join(VECTORS, vector.path));
      const plain = decodeContainer(bytes, decoders, realPorts.xxh64);
      expect(plain === undefined ? null : { bytes: plain.length, sha256: sha256(plain) }).toEqual(
        vector.plain,
      );
      expect(isLaterContainer(bytes, realPorts.xxh64)).toBe(vector.later === true);
    });
  },
);

describe.each(manifest.vectors.filter((one) => one.kind === 'spool'))('$path: $why', (vector) => {
  it('gives its events, or nothing', () => {
    const events = readSpool(realPorts, path.join(VECTORS, vector.path));
    expect(Array.isArray(events) ? events.map(waitingOf) : null).toEqual(vector.events);
    expect(events === 'later').toBe(vector.later === true);
  });
});

describe.each(manifest.vectors.filter((one) => one.kind === 'hint'))('$path: $why', (vector) => {
  it('gives what the last sync reached, or nothing', () => {
    expect(readHint(realPorts, path.join(VECTORS, vector.path))).toEqual(vector.hint ?? NO_HINT);
  });
});

describe('the golden vectors', () => {
  it('are named in the manifest, each file and no other', () => {
    const paths = manifest.vectors.map((vector) => vector.path);
    expect(new Set(paths).size).toBe(paths.length);
    const folders = manifest.vectors
      .filter(isWithBlobs)
      .map((vector) => `${path.dirname(vector.path)}/blobs`);
    const stray = filesUnder(VECTORS).filter(
      (file) =>
        file !== 'manifest.json' &&
        ![...paths, ...folders].some((one) => file === one || file.startsWith(`${one}/`)),
    );
    expect(stray).toEqual([]);
  });

  it('are of every kind that the format names', () => {
    const folders = new Set(manifest.vectors.map((vector) => vector.path.split('/')[0]));
    expect([...folders].sort()).toEqual(['corrupt', 'evolution', 'hostile', 'torn', 'valid']);
    const kinds = manifest.vectors.flatMap((one) => (one.kind === 'journal' ? one.damage : []));
    expect([...new Set(kinds.map(({ kind }) => kind))].sort()).toEqual([
      'blob',
      'body',
      'chain',
      'chunk',
      'commit',
      'gap',
      'header',
      'inbox',
      'index',
      'manifest',
      'missing',
      'segment-header',
      'tail',
    ]);
  });
});
