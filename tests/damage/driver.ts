import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import {
  cut,
  cutAt,
  damageByChance,
  flipBits,
  flipThese,
  newTally,
  type Sample,
  type Tally,
} from './campaign.ts';
import { Chance } from './chance.ts';
import { largeJournals } from './corpus.ts';
import { newDecoders } from './decoders.ts';
import { independentReader, type ReadApart, sampler } from './independent.ts';
import type { TestJournal } from './journal.ts';
import { manyJournals } from './many.ts';
import { repairer } from './repaired.ts';

/*
 * Damages journals in every way that there is and counts what nobody saw. Prints one row for each kind of damage.
 *
 *   node tools/run-typescript.mjs tests/damage/driver.ts [--seed 1] [--quick] [--seconds 0]
 *
 * Each bit of the small files is flipped once; with --quick, some of each. With --seconds it goes on with other bits and
 * other damage, by chance, until so many seconds have passed. One case again, as a violation names it:
 *
 *   node tools/run-typescript.mjs tests/damage/driver.ts --only NAME --bit N | --cut N | --number N --seed N [--repair]
 */

const COMMAND = 'node tools/run-typescript.mjs tests/damage/driver.ts';
const args = process.argv.slice(2);
const isGiven = (name: string): boolean => args.includes(`--${name}`);
const given = (name: string): string | undefined =>
  isGiven(name) ? args[args.indexOf(`--${name}`) + 1] : undefined;
const seed = Number(given('seed') ?? 1);
const isQuick = isGiven('quick');
const decoders = newDecoders();
let codecs: Codecs;
let readApart: ReadApart;
/** Different bits that a whole run turns over at least. */
const BITS_MIN = 524_288;

async function main(): Promise<void> {
  const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
  codecs = { zstd: makers.zstd, decoders };
  readApart = await independentReader();
  const small = manyJournals(makers);
  const large = largeJournals(makers);
  const only = [...small, ...large].find(({ name }) => name === given('only'));
  if (only !== undefined) {
    again(only, small.includes(only) ? small : large);
    return;
  }
  process.stdout.write(`seed ${seed}, ${small.length + large.length} journals\n`);
  // Errors are made and caught by the thousand, and nobody reads where; a case that is run again says it.
  Error.stackTraceLimit = 0;
  const flips = flipEach(small, large);
  const repaired = newTally();
  const others = damageOtherwise(small, large, repaired);
  const more = goOn(small, large, repaired);
  row('repaired', repaired, 0);
  const all = [...flips, ...others, ...more, repaired];
  const sum = (of: (tally: Tally) => number, tallies: Tally[]): number =>
    tallies.reduce((total, tally) => total + of(tally), 0);
  const count = (tallies: Tally[]): string =>
    sum(({ damaged }) => damaged, tallies).toLocaleString('en-US');
  const violations = sum((tally) => tally.violations.length, all);
  process.stdout.write(
    `damage: ${count(flips)} different single bits, ${count([...others, ...more])} other damages, ${count([repaired])} repaired, ${violations} violations\n`,
  );
  const isEnough = isQuick || sum(({ damaged }) => damaged, flips) >= BITS_MIN;
  process.exitCode = violations === 0 && isEnough ? 0 : 1;
}

/** Every bit of the small files, and some of the large ones, none of them twice. */
function flipEach(small: TestJournal[], large: TestJournal[]): Tally[] {
  const chance = new Chance(seed);
  const kinds = [
    ['each bit, raw', small.filter(({ name }) => name.startsWith('raw'))],
    ['each bit, sealed', small.filter(({ name }) => name.startsWith('sealed'))],
    ['each bit, blobs', small.filter(({ name }) => name.startsWith('blob'))],
  ] as const;
  const some = isQuick ? { count: 300, chance } : { chance };
  return [
    ...kinds.map(([name, journals]) =>
      counted(name, (tally) => {
        for (const journal of journals) flipBits(journal, decoders, tally, some);
      }),
    ),
    counted('single bits, large files', (tally) => {
      for (const journal of large)
        flipBits(journal, decoders, tally, { count: isQuick ? 10 : 150, chance });
    }),
  ];
}

/** Of each file, so many are damaged by chance. */
const DAMAGES_EACH = { small: 120, large: 20, quick: 20 };

function damageOtherwise(small: TestJournal[], large: TestJournal[], repaired: Tally): Tally[] {
  const chance = new Chance(seed);
  const agreed = newTally();
  const cuts = counted('every truncation', (tally) => {
    for (const journal of small) cut(journal, decoders, tally, chance, isQuick ? 30 : undefined);
    for (const journal of large) cut(journal, decoders, tally, chance, isQuick ? 4 : 40);
  });
  const byChance = counted('sectors, ranges, pasted frames', (tally) => {
    const samples = [sampler(readApart, agreed), repairer(codecs, readApart, repaired, seed)];
    const sample: Sample = (...of) => samples.forEach((one) => void one(...of));
    const each = { seed, count: isQuick ? DAMAGES_EACH.quick : DAMAGES_EACH.small };
    for (const journal of small) damageByChance(journal, small, decoders, tally, each, sample);
    const fewer = { seed, count: isQuick ? DAMAGES_EACH.quick : DAMAGES_EACH.large };
    for (const journal of large) damageByChance(journal, large, decoders, tally, fewer);
  });
  row('the independent reader agrees', agreed, 0);
  return [cuts, byChance, { ...agreed, damaged: 0 }];
}

/** Until the time is up: bits by chance, which may be the same ones again, and damage of other seeds. */
function goOn(small: TestJournal[], large: TestJournal[], repaired: Tally): Tally[] {
  const until = Date.now() + Number(given('seconds') ?? 0) * 1000;
  if (Date.now() >= until) return [];
  return [
    counted('more of all by chance', (tally) => {
      for (let round = seed + 1; Date.now() < until; round += 1) {
        const chance = new Chance(round);
        for (const journal of small) {
          flipBits(journal, decoders, tally, { count: 1000, chance });
          const sample = repairer(codecs, readApart, repaired, round);
          damageByChance(journal, small, decoders, tally, { seed: round, count: 100 }, sample);
        }
        for (const journal of large) {
          flipBits(journal, decoders, tally, { count: 50, chance });
          damageByChance(journal, large, decoders, tally, { seed: round, count: 10 });
        }
      }
    }),
  ];
}

function again(journal: TestJournal, others: TestJournal[]): void {
  const tally = newTally();
  if (isGiven('bit')) flipThese(journal, decoders, tally, [Number(given('bit'))]);
  if (isGiven('cut')) cutAt(journal, decoders, tally, Number(given('cut')));
  if (isGiven('number')) {
    const one = { seed, from: Number(given('number')), count: 1 };
    const repair: Sample = (...of) => repairer(codecs, readApart, tally, -1)(...of);
    damageByChance(journal, others, decoders, tally, one, isGiven('repair') ? repair : undefined);
  }
  row(journal.name, tally, 0);
  process.exitCode = tally.violations.length === 0 ? 0 : 1;
}

function counted(name: string, work: (tally: Tally) => void): Tally {
  const tally = newTally();
  const start = process.cpuUsage();
  work(tally);
  const { user, system } = process.cpuUsage(start);
  row(name, tally, (user + system) / 1e6);
  return tally;
}

/** @param seconds of the processor */
function row(name: string, { damaged, violations, lost, most }: Tally, seconds: number): void {
  const cells = [
    name.padEnd(34),
    `${damaged.toLocaleString('en-US')} damaged`.padStart(18),
    `${violations.length} violations`.padStart(14),
    `${lost.toLocaleString('en-US')} events lost`.padStart(22),
    `at most ${most} at once`.padStart(18),
    `${seconds.toFixed(1)} s`.padStart(8),
  ];
  process.stdout.write(`${cells.join('  ')}\n`);
  for (const one of violations) process.stderr.write(`  ${COMMAND} ${one}\n`);
}

void main();
