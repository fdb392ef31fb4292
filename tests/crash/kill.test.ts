import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SEGMENT_HEADER_BYTES } from '../../src/journal/format.ts';
import { layoutOf, listSegments } from '../../src/journal/layout.ts';
import { decoders, realPorts, scratch } from '../support.ts';
import { bundle } from './bundle.ts';
import { Crew } from './crew.ts';
import { killAtRandom, tallyOf } from './random-kills.ts';
import { type Kept, Survivors } from './survivors.ts';

const WRITERS = 8;
const KILLS = 400;
const TORN_ROUNDS = 25;

describe('processes killed with -9', () => {
  let built: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    built = await bundle('writer-process');
  });
  afterAll(() => built.remove());

  it(`lose no acknowledged event: ${WRITERS} writers, ${KILLS} kills`, {
    timeout: 300_000,
  }, async () => {
    const seed = Number(process.env.BEN10_SEED ?? Date.now() % 1_000_000);
    const root = path.join(scratch(), '.ben10');
    const { program } = built;
    const { violations, ...tally } = await killAtRandom({
      program,
      root,
      ports: realPorts,
      decoders,
      writers: WRITERS,
      kills: KILLS,
      seed,
    });
    process.stdout.write(`kill -9: ${JSON.stringify(tally)}, seed ${seed}\n`);
    expect(violations).toEqual([]);
    expect(tally.acknowledged).toBeGreaterThan(1000);
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
    const survivors = new Survivors(root, realPorts, decoders);
    expect(survivors.reckon(crew.account)).toEqual([]);
    const tally = tallyOf(crew, survivors);
    process.stdout.write(`kill -9 in large appends: ${JSON.stringify(tally)}\n`);
    expect(tally.repairs).toBeGreaterThan(0);
    expectPrefixes(survivors.kept);
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
