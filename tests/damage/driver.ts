import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd } from '../../src/platform/codecs/zstd-read.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import {
  assertAgreed,
  cut,
  damageByChance,
  flipBits,
  type Independent,
  newTally,
  type Tally,
  writeOut,
} from './campaign.ts';
import { Chance } from './chance.ts';
import { largeJournals, smallJournals, type TestJournal } from './corpus.ts';
import type { Look } from './oracle.ts';

/*
 * Damages journals in every way that there is and counts what nobody saw. Prints one row for each kind of damage.
 *
 *   node tests/damage/run.mjs [--seconds 60] [--seed 1] [--bits 524288] [--some]
 *
 * With --some not every bit of the small journals is flipped, but some of each.
 */

interface Options {
  seconds: number;
  seed: number;
  bits: number;
}

function optionsOf(args: readonly string[]): Options {
  const of = (name: string, otherwise: number) => {
    const at = args.indexOf(`--${name}`);
    return at === -1 ? otherwise : Number(args[at + 1]);
  };
  return { seconds: of('seconds', 60), seed: of('seed', 1), bits: of('bits', 524_288) };
}

const decoders = { lz4: unlz4, zstd: unzstd };

/** Of so many damaged journals, one is read by the independent reader, too. */
const SAMPLED_ONE_IN = 40;

function sampler(read: (dir: string, options: { verify: boolean }) => Independent, tally: Tally) {
  let seen = 0;
  return (journal: TestJournal, found: Look, what: string): void => {
    seen += 1;
    if (seen % SAMPLED_ONE_IN !== 0) return;
    const dir = mkdtempSync(path.join(tmpdir(), 'ben10-damage-'));
    try {
      tally.damaged += 1;
      assertAgreed(found, read(writeOut(journal, dir), { verify: true }));
    } catch (error) {
      tally.violations.push(`${journal.name}, ${what}: ${(error as Error).message}`);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  };
}

function row(name: string, { damaged, violations, lost, most }: Tally, started: number): void {
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const cells = [
    name.padEnd(34),
    `${damaged.toLocaleString('en-US')} damaged`.padStart(18),
    `${violations.length} violations`.padStart(14),
    `${lost.toLocaleString('en-US')} events lost`.padStart(22),
    `at most ${most} at once`.padStart(18),
    `${seconds} s`.padStart(8),
  ];
  process.stdout.write(`${cells.join('  ')}\n`);
  for (const one of violations) process.stderr.write(`  ${one}\n`);
}

/** What is tried over and over has to be small. */
const SMALL_BYTES = 2048;

async function main(): Promise<void> {
  // Many a file is not there, and to write down where that was noticed takes longer than to notice it.
  Error.stackTraceLimit = 3;
  const options = optionsOf(process.argv.slice(2));
  const isBrief = process.argv.includes('--some');
  const chance = new Chance(options.seed);
  const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
  const small = smallJournals(makers);
  const large = largeJournals(makers);
  const reader = pathToFileURL(path.resolve('journal-format/reader.mjs')).href;
  const { readJournal } = (await import(reader)) as {
    readJournal: (dir: string, options: { verify: boolean }) => Independent;
  };
  const all: Tally[] = [];
  const counted = (name: string, work: (tally: Tally) => void): void => {
    const tally = newTally();
    const started = Date.now();
    work(tally);
    row(name, tally, started);
    all.push(tally);
  };
  process.stdout.write(`seed ${options.seed}\n`);
  for (const isSealed of [false, true]) {
    const which = small.filter((journal) => journal.isSealed === isSealed);
    counted(`each bit, ${isSealed ? 'sealed' : 'raw'}`, (tally) => {
      for (const journal of which)
        flipBits(journal, decoders, tally, isBrief ? { count: 300, chance } : { chance });
    });
  }
  const until = Date.now() + options.seconds * 500;
  counted('single bits by chance, small', (tally) => {
    const tiny = small.filter(({ fs, target }) => fs.bytesOf(target).length < SMALL_BYTES);
    for (let n = 0; all[0]!.damaged + all[1]!.damaged + tally.damaged < options.bits; n += 1)
      flipBits(tiny[n % tiny.length]!, decoders, tally, { count: 1000, chance });
  });
  counted('single bits by chance, large', (tally) => {
    for (const journal of large) flipBits(journal, decoders, tally, { count: 150, chance });
  });
  counted('every truncation', (tally) => {
    for (const journal of small) cut(journal, decoders, tally, chance);
    for (const journal of large) cut(journal, decoders, tally, chance, 40);
  });
  const agreed = newTally();
  counted('sectors, ranges, pasted frames', (tally) => {
    const sample = sampler(readJournal, agreed);
    do {
      for (const journal of small)
        damageByChance(journal, small, decoders, tally, chance, 500, sample);
      for (const journal of large) damageByChance(journal, large, decoders, tally, chance, 20);
    } while (Date.now() < until);
  });
  row('the independent reader agrees', agreed, Date.now());
  const violations = [...all, agreed].reduce((sum, tally) => sum + tally.violations.length, 0);
  const damaged = all.reduce((sum, tally) => sum + tally.damaged, 0);
  process.stdout.write(
    `damage: ${damaged.toLocaleString('en-US')} journals damaged, ${violations} violations\n`,
  );
  process.exitCode = violations === 0 ? 0 : 1;
}

void main();
