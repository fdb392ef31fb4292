/** @module-tag long */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Threads run a program, which a file of tests is none. */
async function simulation(...args: string[]): Promise<string> {
  const program = ['tools/run-typescript.mjs', 'tests/sim/main.ts', ...args];
  return (await run(process.execPath, program, { cwd: ROOT })).stdout;
}

it('processes that take turns at every call keep all promises, whoever dies and whatever the disk keeps', async () => {
  const said = await simulation('--harness=turns', '--seconds=3', '--seed=1');
  process.stdout.write(said);
  expect(said).toMatch(/^turns +\| [1-9]\d* states recovered \| 0 violations/);
}, 120_000);

it('a run of theirs is repeated by the line that names it', async () => {
  const line =
    '{"turns":1,"processes":8,"operations":3,"switches":0.3,"kills":0.001,"profile":"paranoid","diet":"psnbrce","lockBudgetMs":50}';
  const [one, other] = [await simulation(`--only=${line}`), await simulation(`--only=${line}`)];
  // All but how long it took.
  const stable = (said: string) => said.replace(/[\d.]+ s, .*? a second of it/, '');
  expect(stable(one)).toBe(stable(other));
  expect(one).toMatch(/^only +\| [1-9]\d* states recovered \| 0 violations/);
}, 120_000);
