/**
 * Kills and presses harder than `npm test` has time for. Prints one JSON line for each row of the table:
 * `{name, figure, goal, ok, seconds, reproduce}`; what went wrong goes to stderr.
 *
 *   node tools/run-typescript.mjs tests/crash/driver.ts
 *     [--kills 1000] [--points 1] [--seconds 20] [--seed N] [--only random|points|commands|overhauls|stress]
 *
 * --points: of the named points one in so many; of the places of repair, erase and drop a sixth of that, of other commands a twenty-fourth
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { decoders, realPorts } from '../ports.ts';
import { bundle } from './bundle.ts';
import { Bystanders } from './bystanders.ts';
import { killCommands } from './command-kills.ts';
import type { Diet } from './crew.ts';
import { killPoints, PointKiller } from './every-point.ts';
import type { KillPoint } from './kill-points.ts';
import type { KilledTally } from './killer.ts';
import { killOverhauls } from './overhaul-kills.ts';
import { killAtRandom } from './random-kills.ts';
import { stress } from './stress.ts';

const WRITERS = [1, 2, 8] as const;

/** Of the kills at random, how many of how many writers. */
const SHARES: readonly { writers: number; diet: Diet; share: number }[] = [
  { writers: 1, diet: 'mixed', share: 0.2 },
  { writers: 1, diet: 'large', share: 0.1 },
  { writers: 2, diet: 'mixed', share: 0.3 },
  { writers: 8, diet: 'mixed', share: 0.4 },
];
/** After so many kills everything is read again and verified, and a new journal is begun. */
const KILLS_A_JOURNAL = { mixed: 20, large: 10 };

/** Of the commands' places, so many fewer are tried than of the points: which ones, the seed says. */
const COMMANDS_ONE_IN = 24;
const OVERHAULS_ONE_IN = 6;

/** By a text and by a seq: on a busy machine the stress goes on until then. */
const ERASURES = 2;

const args = process.argv.slice(2);
const option = (name: string, otherwise: string): string => {
  const at = args.indexOf(`--${name}`);
  return at === -1 ? otherwise : args[at + 1]!;
};
const kills = Number(option('kills', '1000'));
const oneIn = Number(option('points', '1'));
const seconds = Number(option('seconds', '20'));
const seed = Number(option('seed', String(Date.now() % 1_000_000)));
const only = option('only', '');

interface Row {
  name: string;
  goal: string;
  figure: string;
  violations: string[];
}

async function row(which: string, work: () => Promise<Row>): Promise<void> {
  if (only !== '' && only !== which) return;
  const start = Date.now();
  // What the product throws at who looks after a kill is a violation as well, and has to be reproduced like any other.
  const { violations, ...said } = await work().catch(
    (error: Error): Row => ({
      name: which,
      goal: 'an end',
      figure: '1 wrong: it was thrown at',
      violations: [error.stack ?? error.message],
    }),
  );
  const spent = Math.round((Date.now() - start) / 1000);
  const ok = violations.length === 0;
  const how = `--only ${which} --kills ${kills} --points ${oneIn} --seconds ${seconds} --seed ${seed}`;
  const reproduce = `node tools/run-typescript.mjs tests/crash/driver.ts ${how}`;
  process.stdout.write(`${JSON.stringify({ ...said, ok, seconds: spent, reproduce })}\n`);
  for (const violation of violations.slice(0, 20)) process.stderr.write(`  ${violation}\n`);
  if (!ok) process.exitCode = 1;
}

/**
 * Memory where there is a file system of it. What a killed process leaves does not depend on the disk, but on one the
 * thousands of syncs of a row, and all who wait beside them, take most of the time.
 */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A folder for one run, gone after it. */
async function inScratch<T>(work: (dir: string) => Promise<T>, where = tmpdir()): Promise<T> {
  const dir = mkdtempSync(path.join(where, 'ben10-crash-run-'));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function randomKills(program: string): Promise<Row> {
  // Hundreds of megabytes are read again and again.
  const ports = { ...realPorts, xxh64: await loadXxh64() };
  const all = { kills: 0, inAppends: 0, acknowledged: 0, repairs: 0, violations: [] as string[] };
  for (const { writers, diet, share } of SHARES) {
    const upto = all.kills + Math.ceil(kills * share);
    for (let n = 0; all.kills < upto; n += 1) {
      const tally = await inScratch(
        (dir) =>
          killAtRandom({
            program,
            root: path.join(dir, '.ben10'),
            ports,
            decoders,
            writers,
            diet,
            // Those who are left in the end are killed as well.
            kills: Math.max(1, Math.min(KILLS_A_JOURNAL[diet], upto - all.kills) - writers),
            seed: seed + 1000 * writers + n,
          }),
        MEMORY,
      );
      all.kills += tally.kills;
      all.inAppends += tally.inAppends;
      all.acknowledged += tally.acknowledged;
      all.repairs += tally.repairs;
      all.violations.push(...tally.violations.map((one) => `${writers} writers: ${one}`));
    }
  }
  return {
    name: 'kill -9 at random, 1, 2 and 8 writers',
    goal: `0 lost in ${kills} kills`,
    figure: `${all.violations.length} wrong in ${all.kills} kills, ${all.inAppends} of them within an append; ${all.acknowledged} events acknowledged, ${all.repairs} torn tails`,
    violations: all.violations,
  };
}

interface Runs {
  points: number;
  died: number;
  sent: number;
  violations: string[];
}

async function everyPoint(doomed: string, bystander: string): Promise<Row> {
  const found = await inScratch((dir) => killPoints(doomed, path.join(dir, '.ben10')), MEMORY);
  const points = found.filter((_, index) => index % oneIn === 0);
  const all: Runs = { points: 0, died: 0, sent: 0, violations: [] };
  for (const writers of WRITERS) {
    // Beside others, what a process comes by for the last time is a matter of chance, and no other place in the code.
    const here = points.filter(({ nth }) => writers === 1 || nth === 1);
    // Two at a time: most of the time a process waits for the disk.
    const halves = [0, 1].map((odd) => here.filter((_, index) => index % 2 === odd));
    const done = await Promise.all(
      halves.map((half) => killAtAll(half, writers, doomed, bystander)),
    );
    for (const { points: more, died, sent, violations } of done) {
      all.points += more;
      all.died += died;
      all.sent += sent;
      all.violations.push(...violations);
    }
  }
  return {
    name: 'kill -9 at every named point, 1, 2 and 8 writers',
    goal: '0 lost, all died at their point',
    figure: `${all.violations.length} wrong in ${all.points} points × writers (${new Set(points.map(({ name }) => name)).size} names), ${all.died} died at their point, ${all.sent} processes`,
    violations: all.violations,
  };
}

async function killAtAll(
  points: readonly KillPoint[],
  writers: number,
  doomed: string,
  bystander: string,
): Promise<Runs> {
  const runs: Runs = { points: points.length, died: 0, sent: 0, violations: [] };
  const others = writers === 1 ? undefined : new Bystanders(bystander, writers - 1);
  await inScratch(async (dir) => {
    const killer = new PointKiller(doomed, dir, others);
    for (const point of points) {
      const { sent, died, violations } = await killer.kill(point);
      runs.sent += sent;
      if (died) runs.died += 1;
      else violations.push('nobody came to it');
      const at = `${writers} writers, ${point.when} ${point.name}, ${point.nth}`;
      runs.violations.push(...violations.map((one) => `${at}: ${one}`));
    }
  }, MEMORY).finally(() => others?.end());
  return runs;
}

/** Two at a time: half of the time a process waits for the others. */
async function inLanes(
  work: (dir: string, lane: { lane: number; lanes: number }) => Promise<KilledTally>,
): Promise<KilledTally> {
  const lanes = [0, 1].map((lane) => inScratch((dir) => work(dir, { lane, lanes: 2 }), MEMORY));
  const [one, other] = (await Promise.all(lanes)) as [KilledTally, KilledTally];
  return {
    places: one.places + other.places,
    died: one.died + other.died,
    moments: one.moments + other.moments,
    done: one.done + other.done,
    violations: [...one.violations, ...other.violations],
  };
}

async function commands(): Promise<Row> {
  const { violations, places, moments, done } = await inLanes((dir, lane) =>
    killCommands(dir, { ...lane, oneIn: oneIn * COMMANDS_ONE_IN, seed }),
  );
  return {
    name: 'kill -9 of every command, hook and idle packing that changes something',
    goal: 'done or not done, 0 lost, and the next command works',
    figure: `${violations.length} wrong in ${places} places and ${moments} moments of commands, ${done} of which were done`,
    violations,
  };
}

async function overhauls(bystander: string): Promise<Row> {
  const { violations, places, died, moments, done } = await inLanes((dir, lane) =>
    killOverhauls(dir, { ...lane, oneIn: oneIn * OVERHAULS_ONE_IN, seed, bystander }),
  );
  return {
    name: 'kill -9 of repair, erase and the drop of old events, 1, 2 and 8 writers',
    goal: 'begun and finished by who comes next, or not begun; 0 lost, nothing erased is left',
    figure: `${violations.length} wrong in ${places} places and ${moments} moments of repair, erase and drop, ${died} came there, ${done} of which were done`,
    violations,
  };
}

async function stressed(lockHolder: string): Promise<Row> {
  const { violations, ...tally } = await inScratch((dir) =>
    stress({ dir, lockHolder, hooks: 64, seconds, erasures: ERASURES, seed }),
  );
  const { hooks, killed, served, serversKilled, compactions, erasures } = tally;
  const { maintainersKilled, maintainersStopped, stopped, p50, p99 } = tally;
  return {
    name: '64 hooks at once, a server, compaction, erasure, stopped holders',
    goal: '0 lost, nothing erased is left, no hook fails',
    figure: `${violations.length} wrong; ${hooks} hooks and ${killed} killed, ${served} calls served, ${serversKilled} servers killed, ${compactions} compactions, ${erasures} erasures, ${maintainersKilled} of these killed and ${maintainersStopped} stopped, ${stopped} stopped holders; hooks p50 ${p50} ms, p99 ${p99} ms`,
    violations,
  };
}

async function main(): Promise<void> {
  const names = ['doomed-process', 'bystander-process', 'writer-process', 'lock-holder'];
  const built = await Promise.all(names.map((name) => bundle(name)));
  const [doomed, bystander, writer, holder] = built.map(({ program }) => program);
  try {
    await row('random', () => randomKills(writer!));
    await row('points', () => everyPoint(doomed!, bystander!));
    await row('commands', commands);
    await row('overhauls', () => overhauls(bystander!));
    await row('stress', () => stressed(holder!));
  } finally {
    for (const { remove } of built) remove();
  }
}

void main();
