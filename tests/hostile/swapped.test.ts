/** @module-tag long */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scratch } from '../support.ts';
import {
  CLASSES,
  classOf,
  expectCivil,
  fullProject,
  isFile,
  namesIn,
  photograph,
  runCommands,
  runHooks,
} from './support.ts';

/** How long ben10 works while its files are swapped, milliseconds. */
const SWAPPED_MS = 8000;

/** One after the other: all that write into files of every class, and one that reads them. */
const COMMANDS = ['compact', 'erase --pattern /zq.Kanari.en/ --yes', 'verify', 'repair --yes'];

/** Puts links to a file in the place of others, one after the other, as fast as it can. */
const SWAPPER = `
const fs = require('fs');
const [victim, ...targets] = process.argv.slice(1);
const swap = (link, target) => {
  const temp = target + '.swap';
  try { link(victim, temp); fs.renameSync(temp, target); } catch {}
};
process.stdout.write('swapping');
for (;;) for (const target of targets) {
  let own;
  try { own = fs.lstatSync(target).isSymbolicLink() ? undefined : fs.readFileSync(target); } catch {}
  swap(fs.symlinkSync, target);
  swap(fs.linkSync, target);
  try { fs.unlinkSync(target); if (own) fs.writeFileSync(target, own, { mode: 0o600 }); } catch {}
}`;

it('links that come and go in place of its files lead ben10 nowhere', async () => {
  const dir = fullProject();
  const root = path.join(dir, '.ben10');
  const outside = scratch();
  const victim = path.join(outside, 'victim');
  writeFileSync(victim, 'what somebody keeps\n'.repeat(500));
  chmodSync(victim, 0o644);
  const names = namesIn(dir, isFile);
  expect([...new Set(names.map(classOf))].sort()).toEqual(CLASSES);
  const targets = names.map((name) => path.join(root, name));
  const before = photograph(outside);
  const swapper = spawn(process.execPath, ['-e', SWAPPER, victim, ...targets]);
  onTestFinished(() => void swapper.kill('SIGKILL'));
  await once(swapper.stdout, 'data');
  const end = Date.now() + SWAPPED_MS;
  let [runs, round] = [0, 0];
  while (Date.now() < end) {
    for (const one of [
      ...(await runHooks(dir)),
      ...(await runCommands(dir, [COMMANDS[round % COMMANDS.length]!])),
    ]) {
      expectCivil(one);
      runs += 1;
    }
    round += 1;
  }
  swapper.kill('SIGKILL');
  await once(swapper, 'close');
  expect(runs).toBeGreaterThan(5);
  expect(photograph(outside)).toEqual(before);
});
