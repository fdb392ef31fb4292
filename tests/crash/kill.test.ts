import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeEnvelope } from '../../src/journal/envelope.ts';
import { JournalReader } from '../../src/journal/reader.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import { ADDONS, decoders, newEvent, realPorts, scratch } from '../support.ts';

const ROUNDS = 200;
const WRITERS = 8;

/** What the parent knows: attempted events by writer and number, and which of them were acknowledged. */
interface Account {
  attempted: Map<string, string>;
  acknowledged: Set<string>;
}

interface Writer {
  name: string;
  child: ChildProcess;
  ended: Promise<void>;
  next: number;
}

function start(
  program: string,
  root: string,
  name: string,
  first: number,
  account: Account,
): Writer {
  const child = spawn(process.execPath, [program, root, ADDONS, name, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const writer: Writer = {
    name,
    child,
    next: first,
    ended: new Promise((done) => child.on('close', () => done())),
  };
  let rest = '';
  child.stdout!.on('data', (data) => {
    const lines = (rest + String(data)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const [word, n, digest] = line.split(' ');
      const key = `${name}:${n}`;
      if (word === 'intent') account.attempted.set(key, digest!);
      else account.acknowledged.add(key);
      writer.next = Number(n) + 1;
    }
  });
  return writer;
}

interface Kept {
  seq: number;
  key: string;
  digest: string;
}

function keptIn(root: string): { kept: Kept[]; damage: number } {
  const reader = new JournalReader(realPorts, root, decoders);
  const kept: Kept[] = [];
  let damage = 0;
  for (const item of reader.entries()) {
    if (item.entry === undefined) damage += 1;
    else kept.push(describeEvent(item.entry.seq, item.entry.payload));
  }
  return { kept, damage };
}

function describeEvent(seq: number, payload: Buffer): Kept {
  const envelope = decodeEnvelope(payload);
  const { name, n } = (envelope.data ?? {}) as { name?: string; n?: number };
  const key = envelope.type === 'test.happened' ? `${name}:${n}` : `(${envelope.type})`;
  return { seq, key, digest: createHash('sha256').update(payload).digest('hex') };
}

/** Mulberry32: the same kills for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('processes killed with -9', () => {
  let program: string;
  beforeAll(async () => {
    program = path.join(mkdtempSync(path.join(tmpdir(), 'ben10-crash-')), 'writer-process.cjs');
    const entry = path.join(import.meta.dirname, 'writer-process.ts');
    await build({
      entryPoints: [entry],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
    });
  });

  it(`lose no acknowledged event: ${WRITERS} writers, ${ROUNDS} kills at random`, {
    timeout: 300_000,
  }, async () => {
    const root = path.join(scratch(), '.ben10');
    const seed = Number(process.env.BEN10_SEED ?? Date.now() % 1_000_000);
    const random = seeded(seed);
    const account: Account = { attempted: new Map(), acknowledged: new Set() };
    const writers = Array.from({ length: WRITERS }, (_, w) =>
      start(program, root, `w${w}`, 0, account),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      await new Promise((go) => setTimeout(go, 20 + random() * 120));
      const victim = Math.floor(random() * WRITERS);
      const { name, child, ended } = writers[victim]!;
      child.kill('SIGKILL');
      await ended;
      writers[victim] = start(program, root, name, writers[victim]!.next, account);
    }
    for (const { child } of writers) child.kill('SIGKILL');
    await Promise.all(writers.map(({ ended }) => ended));
    // The next writer makes the tail good and takes in the inbox.
    const last = new JournalWriter(realPorts, root, {
      lockBudgetMs: 5000,
      drain: { events: 1_000_000, milliseconds: 60_000 },
    });
    last.append([newEvent({ type: 'test.ended' })]);
    last.close();

    const { kept, damage } = keptIn(root);
    const own = kept.filter(({ key }) => !key.startsWith('('));
    const digests = new Map(own.map(({ key, digest }) => [key, digest]));
    const lost = [...account.acknowledged].filter((key) => !digests.has(key));
    const invented = own.filter(({ key, digest }) => account.attempted.get(key) !== digest);
    const repairs = kept.filter(({ key }) => key === '(journal.repaired)').length;
    process.stdout.write(
      `kill -9: ${ROUNDS + WRITERS} kills, ${account.attempted.size} appends tried, ${account.acknowledged.size} acknowledged, ${own.length} kept, ${repairs} torn tails mended, seed ${seed}\n`,
    );
    expect(lost).toEqual([]);
    expect(invented).toEqual([]);
    expect(damage).toBe(0);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index + 1));
    expect(digests.size).toBe(own.length);
    for (let w = 0; w < WRITERS; w += 1) expectOnce(own, `w${w}`);
    expect(verifyJournal(realPorts, root, decoders)).toMatchObject({ ok: true, damage: [] });
  });
});

/** No event of a writer stands twice, whether it came by the journal or by the inbox. */
function expectOnce(kept: Kept[], name: string): void {
  const numbers = kept.filter(({ key }) => key.startsWith(`${name}:`)).map(({ key }) => key);
  expect(new Set(numbers).size).toBe(numbers.length);
}
