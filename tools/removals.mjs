#!/usr/bin/env node
// The proof that the tests test: takes one safety step out of the sources at a time (in memory, as they are bundled) and runs
// what has to notice. Prints a table; exit code 1 when a removal goes unnoticed, or when there is a sync, a sum or a lock in
// the sources that no step takes away, or a step whose text is not in the sources (of these last two --only=- tells alone).
//
//   node tools/removals.mjs [--only=<part of a step's name>] [--seconds=<for each harness of the simulation, 40>]
//                           [--write]  keep where each removal was caught, so that the next run looks there first
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inTwoLanes } from './harnesses/run.mjs';
import { newBundleDir } from './removals/bundle.mjs';
import { Bundles, isOf, runOn, together, wholeOf } from './removals/catchers.mjs';
import { STEPS } from './removals/steps/index.mjs';
import { outdated, unlisted } from './removals/unlisted.mjs';

const options = new Map(process.argv.slice(2).map((one) => one.replace(/^--/, '').split(/=(.*)/s)));
const seconds = Number(options.get('seconds') ?? 40);
const wanted = options.get('only') ?? '';
const HINTS = path.join(import.meta.dirname, 'removals/hints.tsv');
/** Where each removal was caught last, one a line: only an order, never a proof. */
const hints = new Map(
  readFileSync(HINTS, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name, program, ...args]) => [name, { program, args }]),
);
/** Runs that caught a removal. */
const proofs = [];
const dirs = [];
/** Where tests write: memory where there is a file system of it. What they see of a sync does not depend on the disk. */
const scratch = mkdtempSync(
  path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ben10-removals-'),
);
dirs.push(scratch);
process.env.TMPDIR = scratch;
// What caught a step catches it again.
process.env.BEN10_SEED = '1';

function newBundles(edits) {
  const dir = newBundleDir();
  dirs.push(dir);
  return new Bundles(dir, edits);
}

const untouched = newBundles([]);

/** With every step in its place the same must hold, or a catch says nothing. @returns how many of the runs do not */
async function countUnsound(runs) {
  let unsound = 0;
  const waiting = together(runs);
  await inTwoLanes(() => {
    const run = waiting.shift();
    return (
      run &&
      (() =>
        assertHolds(run).catch((error) => {
          unsound += 1;
          console.log(`${run.program}: ${error.message}`);
        }))
    );
  });
  return unsound;
}

async function assertHolds(run) {
  const caught = await runOn(untouched, run);
  if (caught !== undefined)
    throw new Error(`not sound to begin with: ${caught.text} at ${caught.where}`);
}

/** @returns what caught the removal; undefined when nothing did */
async function catchOf({ name, edits, catchers }) {
  const bundles = newBundles(edits);
  const hint = hints.get(name);
  if (hint !== undefined && isOf(hint, catchers)) {
    // A test of that name, or such a workload, may not be there any more.
    const caught = await runOn(bundles, hint).catch(() => undefined);
    if (caught !== undefined) return { ...caught, again: hint };
    console.log(`stale hint: ${name}`);
  }
  for (const catcher of catchers) {
    const caught = await runOn(bundles, wholeOf(catcher, seconds));
    if (caught !== undefined) return caught;
  }
  return undefined;
}

async function row(step) {
  const start = Date.now();
  let caught;
  let trouble;
  try {
    caught = await catchOf(step);
  } catch (error) {
    trouble = `ERROR ${error.message.split('\n').slice(0, 3).join(' ')}`;
  }
  const isCaught = caught !== undefined && trouble === undefined;
  if (isCaught) {
    hints.set(step.name, caught.again);
    proofs.push(caught.again);
  }
  const { program } = caught?.again ?? { program: '' };
  const files = [...new Set(step.edits.map(({ file }) => file))].join(', ');
  const by =
    trouble ??
    (caught === undefined
      ? 'SURVIVED'
      : `${program.replace('tests/', '')}: ${caught.text.slice(0, 80)}`);
  const took = ((Date.now() - start) / 1000).toFixed(1);
  console.log([step.name, files, by, (caught?.where ?? '').slice(0, 90), took].join(' | '));
}

const missing = unlisted(STEPS);
for (const one of missing) console.log(`no step takes this away: ${one}`);
const old = outdated(STEPS);
for (const one of old) console.log(`this step is out of date: ${one}`);

console.log('step | file | caught by | where | seconds');
const waiting = STEPS.filter(({ name }) => name.includes(wanted));
const all = waiting.length;
let caught = 0;
try {
  await inTwoLanes(() => {
    const step = waiting.shift();
    return step && (() => row(step));
  });
  // A catch by what does not hold anyway is none.
  caught = proofs.length - (await countUnsound(proofs));
} finally {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
}
if (options.has('write')) {
  const lines = STEPS.filter(({ name }) => hints.has(name)).map(({ name }) => {
    const { program, args } = hints.get(name);
    return [name, program, ...args].join('\t');
  });
  writeFileSync(HINTS, `${lines.join('\n')}\n`);
}
console.log(`removals: ${caught} of ${all} caught`);
if (caught < all || missing.length > 0 || old.length > 0) process.exitCode = 1;
