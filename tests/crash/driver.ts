/**
 * Kills and presses harder than `npm test` has time for. Prints one JSON line for each row of the table:
 * `{name, figure, goal, ok, seconds, reproduce}`; what went wrong goes to stderr.
 *
 *   node tools/run-typescript.mjs tests/crash/driver.ts [--kills 1000] [--points 1] [--seconds 20] [--seed N]
 *
 * --points: of the named points one in so many
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decoders, realPorts } from '../ports.ts';
import { bundle } from './bundle.ts';
import { killAt, killPoints } from './every-point.ts';
import { killAtRandom } from './random-kills.ts';
import { stress } from './stress.ts';

/** Writers at once, and of the kills at random how many with so many. */
const SHARES = [
  [1, 0.2],
  [2, 0.3],
  [8, 0.5],
] as const;

const args = process.argv.slice(2);
const option = (name: string, otherwise: number): number => {
  const at = args.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(args[at + 1]);
};
const kills = option('kills', 1000);
const oneIn = option('points', 1);
const seconds = option('seconds', 20);
const seed = option('seed', Date.now() % 1_000_000);
const reproduce = `npm run test:crash -- --only crash --seed ${seed}`;

interface Row {
  name: string;
  goal: string;
  figure: string;
  violations: string[];
}

async function row(work: () => Promise<Row>): Promise<void> {
  const start = Date.now();
  const { violations, ...said } = await work();
  const spent = Math.round((Date.now() - start) / 1000);
  const ok = violations.length === 0;
  process.stdout.write(`${JSON.stringify({ ...said, ok, seconds: spent, reproduce })}\n`);
  for (const violation of violations.slice(0, 20)) process.stderr.write(`  ${violation}\n`);
  if (!ok) process.exitCode = 1;
}

/** A folder for one run, gone after it. */
async function inScratch<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(path.join(tmpdir(), 'ben10-crash-run-'));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function randomKills(program: string): Promise<Row> {
  const all = { kills: 0, acknowledged: 0, repairs: 0, violations: [] as string[] };
  for (const [writers, share] of SHARES) {
    const tally = await inScratch((dir) =>
      killAtRandom({
        program,
        root: path.join(dir, '.ben10'),
        ports: realPorts,
        decoders,
        writers,
        kills: Math.ceil(kills * share),
        seed: seed + writers,
      }),
    );
    all.kills += tally.kills;
    all.acknowledged += tally.acknowledged;
    all.repairs += tally.repairs;
    all.violations.push(...tally.violations.map((one) => `${writers} writers: ${one}`));
  }
  return {
    name: 'kill -9 at random, 1, 2 and 8 writers',
    goal: `0 lost in ${kills} kills`,
    figure: `${all.violations.length} wrong in ${all.kills} kills, ${all.acknowledged} events acknowledged, ${all.repairs} torn tails`,
    violations: all.violations,
  };
}

async function everyPoint(doomed: string, writer: string): Promise<Row> {
  const programs = { doomed, writer };
  const found = await inScratch((dir) => killPoints(programs, path.join(dir, '.ben10')));
  const points = found.filter((_, index) => index % oneIn === 0);
  const violations: string[] = [];
  const runs = { all: 0, killed: 0 };
  for (const [writers] of SHARES) {
    // Beside others, what a process comes by for the second time is a matter of chance.
    for (const point of points.filter(({ nth }) => writers === 1 || nth === 1)) {
      const run = await inScratch((dir) =>
        killAt(point, writers - 1, programs, {
          root: path.join(dir, '.ben10'),
          ports: realPorts,
          decoders,
        }),
      );
      runs.all += 1;
      runs.killed += run.killed ? 1 : 0;
      const at = `${writers} writers, ${point.when} ${point.name}, ${point.nth}`;
      violations.push(...run.violations.map((one) => `${at}: ${one}`));
    }
  }
  return {
    name: 'kill -9 at every named point, 1, 2 and 8 writers',
    goal: '0 lost',
    figure: `${violations.length} wrong in ${runs.all} runs, ${runs.killed} died at their point`,
    violations,
  };
}

async function stressed(lockHolder: string): Promise<Row> {
  const { violations, ...tally } = await inScratch((dir) =>
    stress({ dir, lockHolder, hooks: 64, seconds, seed }),
  );
  return {
    name: '64 hooks at once, server, compaction, stopped holders',
    goal: '0 lost, no hook fails',
    figure: `${violations.length} wrong; ${tally.hooks} hooks, ${tally.killed} killed, ${tally.served} calls served, ${tally.compactions} compactions, ${tally.stopped} stopped holders; hooks p50 ${tally.p50} ms, p99 ${tally.p99} ms`,
    violations,
  };
}

async function main(): Promise<void> {
  const [doomed, writer, holder] = await Promise.all(
    ['doomed-process', 'writer-process', 'lock-holder'].map((name) => bundle(name)),
  );
  try {
    await row(() => randomKills(writer!.program));
    await row(() => everyPoint(doomed!.program, writer!.program));
    await row(() => stressed(holder!.program));
  } finally {
    for (const one of [doomed, writer, holder]) one!.remove();
  }
}

void main();
