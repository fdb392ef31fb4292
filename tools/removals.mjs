#!/usr/bin/env node
// The proof that the simulation tests anything: takes one safety step out of a copy of the sources at a time and runs
// the simulation until it finds a violation. Prints a table; exit code 1 when a removal goes unnoticed.
//
//   node tools/removals.mjs [--only=<part of a step's name>] [--seconds=<for each harness, 40>]
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleSimulation } from '../tests/sim/bundle.mjs';
import { NO_STEPS, NOT_SIMULATED, STEPS } from './removal-steps.mjs';

const root = path.resolve(import.meta.dirname, '..');
const options = new Map(process.argv.slice(2).map((one) => one.replace(/^--/, '').split(/=(.*)/s)));
const seconds = Number(options.get('seconds') ?? 40);
const wanted = options.get('only') ?? '';

/** @throws when a pattern is not there exactly once: then the list is out of date */
function removeFrom(copy, { file, from, to }) {
  const at = path.join(copy, 'src', file);
  const text = readFileSync(at, 'utf8');
  const times = text.split(from).length - 1;
  if (times !== 1) throw new Error(`${file} holds ${times} times: ${from}`);
  writeFileSync(
    at,
    text.replace(from, () => to),
  );
}

async function withoutStep(step) {
  const copy = mkdtempSync(path.join(tmpdir(), 'ben10-without-'));
  let bundle;
  try {
    cpSync(path.join(root, 'src'), path.join(copy, 'src'), { recursive: true });
    cpSync(path.join(root, 'tests/sim'), path.join(copy, 'tests/sim'), { recursive: true });
    cpSync(path.join(root, 'package.json'), path.join(copy, 'package.json'));
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    for (const edit of step.edits) removeFrom(copy, edit);
    bundle = await bundleSimulation(copy);
    const given = ['--brief', '--length=3', `--harness=${step.harness}`, `--seconds=${seconds}`];
    const { status, stdout } = spawnSync(
      process.execPath,
      [path.join(bundle, 'sim.cjs'), ...given, ...(step.given ?? [])],
      { encoding: 'utf8', timeout: seconds * 8000 },
    );
    const caught = /sentence (\d+): (.*)\n\s+at: (.*)/.exec(stdout);
    return { status, sentence: caught?.[1], text: caught?.[2], where: caught?.[3] };
  } finally {
    rmSync(copy, { recursive: true, force: true });
    if (bundle !== undefined) rmSync(bundle, { recursive: true, force: true });
  }
}

/** Syncs in the sources that no step takes away: somebody added one and not a step. */
function unlisted() {
  const found = [];
  const dir = path.join(root, 'src/journal');
  const files = readdirSync(dir).filter((name) => name.endsWith('.ts'));
  for (const file of [...files.map((name) => `journal/${name}`), 'platform/files.ts']) {
    let text = readFileSync(path.join(root, 'src', file), 'utf8');
    const edits = new Set(STEPS.flatMap((one) => one.edits).filter((edit) => edit.file === file));
    for (const { from, to } of edits) text = text.replace(from, () => to);
    for (const line of text.split('\n'))
      if (/\.(datasync|fsync|syncDir)\(/.test(line) && !NO_STEPS.has(line.trim()))
        found.push(`${file}: ${line.trim()}`);
  }
  return found;
}

for (const one of unlisted()) {
  const isOutside = NOT_SIMULATED.some((file) => one.startsWith(`${file}:`));
  console.log(`${isOutside ? 'not simulated' : 'no step takes this away'}: ${one}`);
  if (!isOutside) process.exitCode = 1;
}

let survived = 0;
let tried = 0;
console.log('step removed | caught by sentence | at | seconds');
for (const step of STEPS.filter(({ name }) => name.includes(wanted))) {
  const start = Date.now();
  const { sentence, text, where } = await withoutStep(step);
  const took = ((Date.now() - start) / 1000).toFixed(1);
  tried += 1;
  if (sentence === undefined) survived += 1;
  const found = sentence === undefined ? 'SURVIVED' : `${sentence}: ${text.slice(0, 90)}`;
  console.log(`${step.name} | ${found} | ${(where ?? '').slice(0, 90)} | ${took}`);
}
console.log(`${tried - survived} of ${tried} removals caught`);
if (survived > 0) process.exitCode = 1;
