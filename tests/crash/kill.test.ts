import { createHash } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { decodeEnvelope } from '../../src/journal/envelope.ts';
import { SEGMENT_HEADER_BYTES } from '../../src/journal/format.ts';
import { layoutOf, listSegments } from '../../src/journal/layout.ts';
import { JournalReader } from '../../src/journal/reader.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import { decoders, newEvent, realPorts, scratch } from '../support.ts';
import { bundle } from './bundle.ts';
import { type Account, Crew } from './crew.ts';

const ROUNDS = 200;
const WRITERS = 8;
const KILLS_MAX = 3;
const TORN_ROUNDS = 25;

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

interface Kept {
  seq: number;
  /** milliseconds × 65536 + count */
  hlc: bigint;
  /** `writer:number`, or the type of another event. */
  key: string;
  digest: string;
}

function keptOf(payload: Buffer): Pick<Kept, 'key' | 'digest'> {
  const { type, data } = decodeEnvelope(payload);
  const { name, n } = (data ?? {}) as { name?: string; n?: number };
  const digest = createHash('sha256').update(payload).digest('hex');
  return { key: type === 'test.happened' ? `${name}:${n}` : type, digest };
}

/** What stands in the journal from a seq on, while others may be writing. */
function keptFrom(root: string, from: number): Kept[] {
  const kept: Kept[] = [];
  for (const { entry, damage } of new JournalReader(realPorts, root, decoders).entries(from)) {
    expect(damage).toBeUndefined();
    const hlc = BigInt(entry!.hlc.ms) * 65536n + BigInt(entry!.hlc.count);
    kept.push({ seq: entry!.seq, hlc, ...keptOf(entry!.payload) });
  }
  return kept;
}

/** Everything acknowledged by now is in the inbox or the journal; `kept` grows by what is new in the journal. */
function expectNothingLost(
  root: string,
  { acknowledged }: Account,
  kept: Kept[],
  known: Set<string>,
): void {
  const promised = [...acknowledged].filter((key) => !known.has(key));
  // The inbox first: what moves on meanwhile is then seen twice, and not missed.
  const inbox = new JournalReader(realPorts, root, decoders).inbox();
  const waiting = new Set(inbox.map(({ payload }) => keptOf(payload).key));
  for (const one of keptFrom(root, (kept.at(-1)?.seq ?? 0) + 1)) {
    kept.push(one);
    known.add(one.key);
  }
  expect(promised.filter((key) => !known.has(key) && !waiting.has(key))).toEqual([]);
}

function expectOrder(kept: Kept[]): void {
  expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index + 1));
  expect(kept.filter(({ hlc }, index) => index > 0 && hlc <= kept[index - 1]!.hlc)).toEqual([]);
  const last = new Map<string, number>();
  for (const { key } of kept) {
    const [name, number] = key.split(':');
    if (number === undefined) continue;
    expect(Number(number), key).toBeGreaterThan(last.get(name!) ?? -1);
    last.set(name!, Number(number));
  }
}

describe('processes killed with -9', () => {
  let built: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    built = await bundle('writer-process');
  });
  afterAll(() => built.remove());

  it(`lose no acknowledged event: ${WRITERS} writers, ${ROUNDS} rounds of 1 to ${KILLS_MAX} kills`, {
    timeout: 300_000,
  }, async () => {
    const start = Date.now();
    const root = path.join(scratch(), '.ben10');
    const seed = Number(process.env.BEN10_SEED ?? start % 1_000_000);
    const random = seeded(seed);
    const crew = new Crew(built.program, root);
    onTestFinished(() => crew.abandon());
    const kept: Kept[] = [];
    const known = new Set<string>();
    for (let slot = 0; slot < WRITERS; slot += 1) crew.start(slot);
    for (let round = 0; round < ROUNDS; round += 1) {
      await new Promise((go) => setTimeout(go, random() * 60));
      const slots = Array.from({ length: WRITERS }, (_, slot) => slot).sort(() => random() - 0.5);
      const victims = slots.slice(0, 1 + Math.floor(random() * KILLS_MAX));
      await Promise.all(
        victims.map((slot) => {
          const soon = (shoot: () => void) => void setTimeout(shoot, random() * 3);
          return crew.kill(slot, random() < 0.5 ? soon : undefined);
        }),
      );
      expectNothingLost(root, crew.account, kept, known);
      for (const slot of victims) crew.start(slot);
    }
    await crew.killAll();
    // The next writer makes the tail good and takes in the inbox.
    const last = new JournalWriter(realPorts, root, { lockBudgetMs: 5000 });
    expect(last.drain()).toBe(true);
    last.append([newEvent({ type: 'test.ended' })]);
    last.close();
    expectNothingLost(root, crew.account, kept, known);

    const { attempted, acknowledged } = crew.account;
    const repairs = kept.filter(({ key }) => key === 'journal.repaired').length;
    process.stdout.write(
      `kill -9: ${ROUNDS} rounds, ${crew.kills} kills, ${attempted.size} events attempted, ${acknowledged.size} acknowledged, ${kept.length} kept, ${repairs} torn tails mended, ${Date.now() - start} ms, seed ${seed}\n`,
    );
    const own = kept.filter(({ key }) => key.includes(':'));
    expect(own.filter(({ key, digest }) => attempted.get(key) !== digest)).toEqual([]);
    expect([...acknowledged].filter((key) => !known.has(key))).toEqual([]);
    expectOrder(kept);
    expect(keptFrom(root, 1)).toEqual(kept); // nothing that was once read has changed since
    expect(verifyJournal(realPorts, root, decoders)).toMatchObject({
      ok: true,
      waiting: 0,
      events: kept.length,
    });
    expect(crew.strays).toEqual([]);
  });

  it(`in the middle of an append of seven megabytes leave the events before it, and a tail that is mended: ${TORN_ROUNDS} kills`, {
    timeout: 300_000,
  }, async () => {
    const root = path.join(scratch(), '.ben10');
    const crew = new Crew(built.program, root, 'large');
    onTestFinished(() => crew.abandon());
    for (let round = 0; round < TORN_ROUNDS; round += 1) {
      crew.start(0);
      await crew.kill(0, (shoot) => whenGrowing(root, shoot));
    }
    const last = new JournalWriter(realPorts, root, { lockBudgetMs: 5000 });
    last.append([newEvent({ type: 'test.ended' })]);
    last.close();
    const kept = keptFrom(root, 1);
    const known = new Set(kept.map(({ key }) => key));
    const repairs = kept.filter(({ key }) => key === 'journal.repaired').length;
    process.stdout.write(
      `kill -9 in large appends: ${crew.kills} kills, ${crew.account.acknowledged.size} events acknowledged, ${kept.length} kept, ${repairs} torn tails mended\n`,
    );
    expect(repairs).toBeGreaterThan(0);
    expect([...crew.account.acknowledged].filter((key) => !known.has(key))).toEqual([]);
    expectOrder(kept);
    expectPrefixes(kept);
    expect(verifyJournal(realPorts, root, decoders)).toMatchObject({ ok: true });
    expect(crew.strays).toEqual([]);
  });
});

/** Acts as soon as a write is seen at work: then it is half done. */
function whenGrowing(root: string, act: () => void): void {
  const before = journalBytes(root);
  const deadline = Date.now() + 5000;
  const look = () => {
    // Not a header, which the first append writes before everything else.
    const isGrowing = journalBytes(root) > before + SEGMENT_HEADER_BYTES;
    if (isGrowing || Date.now() > deadline) act();
    else setImmediate(look);
  };
  look();
}

const journalBytes = (root: string): number =>
  listSegments(realPorts.fs, layoutOf(root))
    .map(({ path: file }) => realPorts.fs.statIfThere(file)?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);

/** What a process appended and what survives of it has no holes. */
function expectPrefixes(kept: Kept[]): void {
  const counts = new Map<string, number>();
  for (const { key } of kept) {
    const [name, number] = key.split(':');
    if (number === undefined) continue;
    const count = counts.get(name!) ?? 0;
    expect(Number(number), key).toBe(count);
    counts.set(name!, count + 1);
  }
}
