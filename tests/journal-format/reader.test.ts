import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { xxh64 as hash } from '../../src/platform/xxh64.ts';
import { entriesOf } from '../damage/entries.ts';
import { writeOut } from '../damage/independent.ts';
import { craftJournal } from '../damage/journal.ts';

interface Event {
  seq: number | null;
  id: string;
  type: string | null;
  data: unknown;
  refused?: string;
  payload: Buffer | null;
}
interface Damage {
  kind: string;
  segment: string;
  offset: number;
  bytes: number;
  firstSeq: number | null;
  lastSeq: number | null;
}
interface Journal {
  events: Event[];
  waiting: Event[];
  damage: Damage[];
  passed: string[];
  later?: string;
}
interface Reader {
  readJournal(dir: string, options?: { verify: boolean }): Journal;
  readContainer(bytes: Buffer): Buffer | null;
  readSpool(bytes: Buffer): Event[] | null;
  readHint(bytes: Buffer): { syncedUpto: number; syncedAt: number } | null;
  xxh64(bytes: Buffer, seed?: bigint): bigint;
}
interface Told {
  seq?: number;
  type: string | null;
  id: string;
  sha256: string | null;
  data?: unknown;
  refused?: true;
}
interface Vector {
  path: string;
  kind: 'journal' | 'container' | 'spool' | 'hint';
  events?: Told[] | null;
  waiting?: Told[];
  damage?: Omit<Damage, 'bytes'>[];
  passed?: string[];
  links?: Record<string, string>;
  later?: true;
  plain?: { bytes: number; sha256: string } | null;
  hint?: object | null;
}

const folder = fileURLToPath(new URL('../../journal-format/', import.meta.url));
const program = join(folder, 'reader.mjs');
const at = (path: string) => join(folder, 'vectors', path);
const { readJournal, readContainer, readSpool, readHint, xxh64 } = (await import(
  program
)) as Reader;
const { vectors } = JSON.parse(readFileSync(at('manifest.json'), 'utf8')) as { vectors: Vector[] };
const journals = vectors.filter((vector) => vector.kind === 'journal');
const files = vectors.filter((vector) => vector.kind !== 'journal');

const temp = mkdtempSync(join(tmpdir(), 'ben10-reader-'));
afterAll(() => rmSync(temp, { recursive: true }));

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** An event as manifest.json tells it; `data` only where it does, for most vectors are about bytes. */
function told(event: Event, expected: Told | undefined): Told {
  const { seq, type, id, payload } = event;
  return {
    ...(seq === null ? {} : { seq }),
    type,
    id,
    sha256: payload && sha256(payload),
    ...(expected && 'data' in expected ? { data: event.data } : {}),
    ...(event.refused === undefined ? {} : { refused: true }),
  };
}
const all = (events: Event[], expected: Told[] = []) => events.map((e, i) => told(e, expected[i]));
/** Damage comes in any order, and its length in bytes is this reader's own addition. */
const inOrder = (damage: Omit<Damage, 'bytes'>[]) =>
  damage.map((d) => JSON.stringify([d.segment, d.offset, d.kind, d.firstSeq, d.lastSeq])).sort();

function run(args: string[], script = program) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [script, ...args], (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

/** A copy of a vector with its links made. */
function withLinks(vector: string, links: Record<string, string>): string {
  const dir = mkdtempSync(join(temp, 'links-'));
  cpSync(at(vector), dir, { recursive: true });
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(dir, name));
  return dir;
}

describe('the independent reader', () => {
  test.each(journals)('reads $path as manifest.json tells', (vector) => {
    const journal = readJournal(
      vector.links ? withLinks(vector.path, vector.links) : at(vector.path),
    );
    expect(all(journal.events, vector.events ?? [])).toEqual(vector.events);
    expect(all(journal.waiting, vector.waiting)).toEqual(vector.waiting);
    expect(inOrder(journal.damage)).toEqual(inOrder(vector.damage ?? []));
    expect(journal.passed).toEqual(vector.passed ?? []);
    expect(journal.later !== undefined).toBe(vector.later === true);
  });

  test.each(files)('reads the file $path as manifest.json tells', (vector) => {
    const bytes = readFileSync(at(vector.path));
    if (vector.later === true) {
      const read = vector.kind === 'container' ? readContainer : readSpool;
      expect(() => read(bytes)).toThrow(/container|inbox file/);
    } else if (vector.kind === 'container') {
      const plain = readContainer(bytes);
      const found = plain && { bytes: plain.length, sha256: sha256(plain) };
      expect(found).toEqual(vector.plain);
    } else if (vector.kind === 'spool') {
      const events = readSpool(bytes);
      expect(events && all(events)).toEqual(vector.events);
    } else {
      expect(readHint(bytes)).toEqual(vector.hint);
    }
  });

  test('finds a vector of every kind', () => {
    expect(new Set(vectors.map((vector) => vector.kind)).size).toBe(4);
    expect(journals.length).toBeGreaterThan(100);
  });

  test('computes XXH64 as the table of the specification says', () => {
    const hundred = Buffer.from(Array.from({ length: 100 }, (_, i) => i));
    expect(xxh64(Buffer.alloc(0))).toBe(0xef46db3751d8e999n);
    expect(xxh64(Buffer.from('ben10'), 10n)).toBe(0x26e738a1931e2dd4n);
    expect(xxh64(hundred.subarray(0, 32))).toBe(0xcbf59c5116ff32b4n);
    expect(xxh64(hundred, 0xfe227617f2854ee6n)).toBe(0x526ce6af7eb22557n);
  });
});

describe('a file above its limit, which no vector is large enough for', () => {
  const copyOf = (path: string) => {
    const dir = mkdtempSync(join(temp, 'limit-'));
    cpSync(at(path), dir, { recursive: true });
    return dir;
  };
  const segment = 'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf/0000000000000001.b10';

  test.each([
    { path: 'valid/rotated', file: segment, lastSeq: 3 },
    { path: 'valid/sealed-and-active', file: `${segment}z`, lastSeq: 4 },
  ])('is a lost segment in $path', ({ path, file, lastSeq }) => {
    const dir = copyOf(path);
    truncateSync(join(dir, file), 67_108_864 + 1);
    const { events, damage } = readJournal(dir);
    expect(damage).toMatchObject([{ kind: 'segment-header', firstSeq: 1, lastSeq }]);
    expect(events[0]).toMatchObject({ seq: lastSeq + 1 });
  });

  test('is a damaged inbox file', () => {
    const dir = copyOf('valid/inbox');
    const [name] = readdirSync(join(dir, 'inbox')).sort();
    truncateSync(join(dir, 'inbox', name!), 33_554_432 + 1);
    const { waiting, damage } = readJournal(dir);
    expect(damage).toMatchObject([{ kind: 'inbox', segment: `inbox/${name}` }]);
    expect(waiting).toHaveLength(1);
  });

  test.each([
    { more: 0, events: 1 },
    { more: 1, events: undefined },
  ])('is a payload of $more bytes above that of a frame', ({ more, events }) => {
    const payload = Buffer.alloc(1_048_576 - 16 + more, 0xc0);
    const body = Buffer.concat([Buffer.alloc(24), payload]);
    body.writeUInt32LE(payload.length, 16);
    const header = Buffer.alloc(32);
    header.write('BEN10S\0\x01', 'latin1');
    header.writeUInt32LE(1, 8);
    header.writeUInt32LE(body.length, 12);
    header.writeBigUInt64LE(hash(body, hash(header.subarray(0, 16), 0n)), 16);
    expect(readSpool(Buffer.concat([header, body]))?.length).toBe(events);
  });
});

describe('a flipped bit', () => {
  const origin = 'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf';
  test.each([
    { path: 'valid/rotated', name: '0000000000000004.b10', most: 1 },
    { path: 'valid/sealed-and-active', name: '0000000000000001.b10z', most: 4 },
  ])('in $path is told, costs little and changes no other event', ({ path, name, most }) => {
    const dir = mkdtempSync(join(temp, 'flip-'));
    cpSync(at(path), dir, { recursive: true });
    const file = join(dir, origin, name);
    const sound = readFileSync(file);
    const before = all(readJournal(dir).events).map((event) => JSON.stringify(event));
    fc.assert(
      fc.property(fc.nat({ max: sound.length * 8 - 1 }), (bit) => {
        const bytes = Buffer.from(sound);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        writeFileSync(file, bytes);
        const { events, damage } = readJournal(dir);
        const after = all(events).map((event) => JSON.stringify(event));
        expect(damage.length).toBeGreaterThan(0);
        expect(before).toEqual(expect.arrayContaining(after));
        expect(after.length).toBeGreaterThanOrEqual(before.length - most);
      }),
      { numRuns: 150 },
    );
  });
});

describe('as a program', () => {
  test('it prints one JSON line an event and ends with 0 when all is well', async () => {
    const { code, stdout, stderr } = await run(['--verify', at('valid/two-events')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [first, second, ...more] = stdout.trimEnd().split('\n');
    expect(more).toEqual([]);
    expect(JSON.parse(second!)).toMatchObject({ seq: 2, type: 'tool.called', data: { ok: true } });
    expect(JSON.parse(first!)).toEqual({
      seq: 1,
      id: 'b6c3191de3369e247edae6469740ce71',
      at: 1767225600000,
      type: 'prompt.submitted',
      version: 1,
      session: 's-1',
      agent: null,
      client: 'claude-code',
      source: 'hook',
      data: { text: 'hi' },
    });
  });

  test('it prints one line a damage on stderr and ends with 1', async () => {
    const { code, stdout, stderr } = await run([at('corrupt/flip-body')]);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n').length).toBe(4);
    const damage = JSON.parse(stderr) as Damage;
    expect(damage).toMatchObject({ kind: 'body', firstSeq: 3, lastSeq: 3 });
    expect(damage.bytes).toBeGreaterThan(128);
  });

  test('it judges commitments and chains only when asked', async () => {
    const dir = at('corrupt/commit-wrong');
    expect((await run([dir])).code).toBe(0);
    const { code, stderr } = await run(['--verify', dir]);
    expect(code).toBe(1);
    expect(stderr).toContain('"kind":"commit"');
  });

  test('it prints what waits in the inbox last, without a seq', async () => {
    const { stdout } = await run([at('valid/inbox')]);
    const seqs = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Event).seq);
    expect(seqs).toEqual([1, 2, null, null, null]);
  });

  test('it refuses the work of a later version with 3, and wrong usage with 2', async () => {
    const later = await run([at('evolution/later-flag')]);
    expect(later).toMatchObject({ code: 3, stdout: '' });
    expect(later.stderr).toContain('later version');
    for (const args of [[], [at('valid/synced')], [temp, temp], [join(temp, 'nothing')]]) {
      const { code, stderr } = await run(args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('usage') });
    }
  });

  test('it needs no other file: a copy of it alone reads a journal', async () => {
    const copy = join(temp, 'reader.mjs');
    copyFileSync(program, copy);
    const { code, stdout } = await run(['--verify', at('valid/rotated')], copy);
    expect(code).toBe(0);
    expect(stdout).toContain('"seq":6');
  });
});

describe('a Zstd block that never ends', () => {
  /** Literals whose Huffman weights come from a table of one symbol: no state takes a bit (RFC 8878, 4.2.1.2). */
  const BLOCK = Buffer.from('42410205f003ffff01ffff0100', 'hex');
  function unending(plainBytes: number): Buffer {
    const head = Buffer.from('28b52ffda000000000000000', 'hex');
    head.writeUInt32LE(plainBytes, 5);
    head.writeUIntLE((BLOCK.length << 3) | (2 << 1) | 1, 9, 3); // compressed, and the last one
    return Buffer.concat([head, BLOCK]);
  }
  /** Three chunks of a sealed segment, so many of them spoilt under sums that fit. */
  async function journalOf(spoilt: number): Promise<string> {
    const sound = await loadZstd();
    let chunks = 0;
    const compress = (bytes: Uint8Array, level: number) => {
      chunks += 1;
      return chunks <= spoilt ? unending(bytes.length) : sound.compress(bytes, level);
    };
    const chunksOf = [1, 3, 5].map((first) => entriesOf(first, 2, 200, true));
    const plan = { chunks: chunksOf };
    const journal = craftJournal('crafted', [plan], 0, { zstd: { compress }, xxh64: hash });
    return writeOut(journal, mkdtempSync(join(temp, 'crafted-')));
  }

  test('is damage where it stands, and the others are read', { tags: 'long' }, async () => {
    const { code, stdout, stderr } = await run([await journalOf(1)]);
    expect(stdout.trimEnd().split('\n').length).toBe(4);
    expect(JSON.parse(stderr)).toMatchObject({
      kind: 'chunk',
      segment: '0000000000000001.b10z',
      offset: 128,
      firstSeq: 1,
      lastSeq: 2,
    });
    expect(code).toBe(1);
  });

  test('ends the reading where there are several, unless Node has Zstd', {
    tags: 'long',
  }, async () => {
    const { code, stdout, stderr } = await run([await journalOf(2)]);
    if ('zstdDecompressSync' in zlib) {
      expect(code).toBe(1);
      expect(stderr.trimEnd().split('\n').length).toBe(2);
    } else {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('2 Zstd blocks that fzstd does not come to the end of');
    }
  });
});
