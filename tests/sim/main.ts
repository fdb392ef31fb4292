import { isMainThread, workerData } from 'node:worker_threads';
import { inThread } from './actor.ts';
import { spent, spentAfter } from './budget.ts';
import { newTally, type Tally } from './counting.ts';
import { flipBits } from './damage.ts';
import { crashWorkload, exhaust } from './exhaustive.ts';
import { interleave, PAIRS } from './interleaved.ts';
import { loadCodecs } from './process.ts';
import { optionsOf, type RandomOptions, runRandom } from './random.ts';
import { type RepairedOptions, repairedOptionsOf, runRepaired } from './repaired.ts';
import { takeTurns } from './turn-taker.ts';
import { Turns, type TurnsOptions, turnsOptionsOf } from './turns.ts';
import { COMPLETE_LENGTH, workloadsUpTo } from './words.ts';
import type { Letter, Style } from './workload.ts';

/** What `node tools/run-typescript.mjs tests/sim/main.ts` takes; `README.md` says more. */
interface Arguments {
  harness: string[];
  /** Of one core, for each harness; `BUDGETS` where it is not given. */
  seconds: number | undefined;
  /** Operations in a workload of the exhaustive harness. */
  length: number;
  cap: number;
  nested: number;
  /** The first one of the random harness, of turns, and of repaired journals. */
  seed: number;
  /** Of the exhaustive harness, which of the long workloads come first; 0 for one length after the other. */
  sample: number;
  /** Where to go on: what a run that was not complete printed. */
  from: number;
  /** Of the exhaustive harness, how many workloads from there on, however long that takes. */
  count: number | undefined;
  stride: number;
  /** A second process comes in before every call of the first one, not before some. */
  thorough: boolean;
  /** Stop at the first violation. */
  brief: boolean;
  /** The only pair of the interleaved harness, as `pprp:c:c`. */
  pair: string | undefined;
  /** Run this alone: what a violation says. */
  only: string | undefined;
}

const SHOWN_MAX = 8;
/** Seconds of one core; of the exhaustive harness, where the machine is slow. */
const BUDGETS: Readonly<Record<string, number>> = {
  interleaved: 14,
  damage: 10,
  repaired: 12,
  turns: 4,
  random: 20,
  exhaustive: 240,
};
/** The exhaustive harness, which comes last, ends behind the short workloads when all together recovered so many states. */
const STATES_ENOUGH = 60_500;
/** Of repaired journals many are tried, and of each crash few states. */
const REPAIRED_CRASH = { cap: 3, nestedCap: 1 };

const say = (line: string) => void process.stdout.write(`${line}\n`);

function argumentsOf(given: readonly string[]): Arguments {
  const values = new Map(
    given.map((one) => one.replace(/^--/, '').split(/=(.*)/s) as [string, string]),
  );
  const number = (name: string, otherwise: number) => Number(values.get(name) ?? otherwise);
  return {
    harness: (values.get('harness') ?? Object.keys(BUDGETS).join(',')).split(','),
    seconds: values.has('seconds') ? number('seconds', 0) : undefined,
    length: number('length', 4),
    cap: number('cap', 10),
    nested: number('nested', 3),
    seed: number('seed', 1),
    sample: number('sample', 1),
    from: number('from', 0),
    count: values.has('count') ? number('count', 0) : undefined,
    stride: number('stride', 7),
    thorough: values.has('thorough'),
    brief: values.has('brief'),
    pair: values.get('pair'),
    only: values.get('only'),
  };
}

type Codecs = Awaited<ReturnType<typeof loadCodecs>>;

const secondsOf = (name: string, { seconds }: Arguments) => seconds ?? BUDGETS[name] ?? 0;

/** @param before how many states the harnesses before it recovered */
async function runHarness(
  name: string,
  codecs: Codecs,
  given: Arguments,
  before: number,
): Promise<Tally> {
  const until = spentAfter(secondsOf(name, given));
  const { from, seed, stride, count } = given;
  const options = { until, from, isBrief: given.brief };
  const tally = newTally();
  if (name === 'exhaustive') {
    const { length, cap, nested, sample } = given;
    const enough = given.seconds === undefined ? { enough: STATES_ENOUGH - before } : {};
    const which =
      count === undefined
        ? { ...options, ...enough }
        : { ...options, count, until: Number.POSITIVE_INFINITY };
    return exhaust(codecs, { ...which, seed: sample, length, cap, nestedCap: nested });
  }
  if (name === 'interleaved')
    interleave(codecs, { ...options, pair: given.pair, isThorough: given.thorough }, tally);
  else if (name === 'damage') flipBits(codecs, { ...options, stride }, tally);
  else if (name === 'repaired') {
    tally.isComplete = false;
    for (tally.next = seed + from; spent() < until; tally.next += 1) {
      runRepaired(codecs, repairedOptionsOf(tally.next), REPAIRED_CRASH, tally);
      if (given.brief && tally.violations.length > 0) break;
    }
  } else if (name === 'turns') {
    tally.isComplete = false;
    await inTurns((turns) => {
      // The threads' start is no part of the time: on a slow machine it is all of it.
      const end = spentAfter(secondsOf(name, given));
      for (tally.next = seed + from; spent() < end; tally.next += 1) {
        turns.run(turnsOptionsOf(tally.next), tally);
        if (given.brief && tally.violations.length > 0) break;
      }
    });
  } else if (name === 'random') {
    tally.isComplete = false;
    for (tally.next = seed + from; spent() < until; tally.next += 1) {
      runRandom(codecs, optionsOf(tally.next), tally);
      if (given.brief && tally.violations.length > 0) break;
    }
  } else throw new RangeError(`no such harness: ${name}`);
  return tally;
}

/** Each thread runs this very program. */
async function inTurns(work: (turns: Turns) => void): Promise<void> {
  const turns = await Turns.start(process.argv[1]!);
  try {
    work(turns);
  } finally {
    await turns.end();
  }
}

/** A workload (`server bpd`), a pair (`pprp:c:c`), a bit (`bit 3 of …`) or a line of the random harness, of turns or of repaired journals. */
async function runOnly(
  line: string,
  codecs: Codecs,
  { cap, nested, stride, brief: isBrief }: Arguments,
): Promise<Tally> {
  const tally = newTally();
  const until = Number.POSITIVE_INFINITY;
  if (line.startsWith('{"turns"'))
    await inTurns((turns) => turns.run(JSON.parse(line) as TurnsOptions, tally));
  else if (line.startsWith('{"repaired"'))
    runRepaired(codecs, JSON.parse(line) as RepairedOptions, REPAIRED_CRASH, tally);
  else if (line.startsWith('{')) runRandom(codecs, JSON.parse(line) as RandomOptions, tally);
  else if (line.startsWith('bit')) flipBits(codecs, { stride, until, flip: line }, tally);
  else if (line.includes(':')) interleave(codecs, { until, pair: line }, tally);
  else {
    const [style, word] = line.split(' ') as [Style, string];
    const order = { length: word.length, until, seed: 0, from: 0 };
    const options = { ...order, cap, nestedCap: nested, isBrief };
    crashWorkload(codecs, [...word] as Letter[], style, options, tally);
  }
  return tally;
}

/** What `--only` has to be for a violation to come up again. */
function onlyOf(where: string): string {
  const [, before, first, second] = /^(\w*): (\w) (?:waits|dies) .* for (\w)/.exec(where) ?? [];
  if (before !== undefined) return `${before}:${first}:${second}`;
  return /^\{.*?\}|^(?:server|hooks) \w+/.exec(where)?.[0] ?? where;
}

function print(name: string, tally: Tally, seconds: number, cpu: number): void {
  const { states, nested, points, workloads, cutPoints, cutStates, violations } = tally;
  const row = [
    name.padEnd(12),
    `${states} states recovered`,
    `${violations.length} violations`,
    `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of one core, ${Math.round(states / cpu)} states a second of it`,
    `${workloads} workloads, ${points} points, ${nested} crashed recoveries`,
    `cap cut ${cutStates} states at ${cutPoints} points`,
    tally.isComplete ? 'complete' : 'time over',
  ];
  say(row.join(' | '));
  for (const { where, sentence, text } of violations.slice(0, SHOWN_MAX)) {
    say(`  sentence ${sentence}: ${text}\n    at: ${where}`);
    say(`    repeat: node tools/run-typescript.mjs tests/sim/main.ts --only='${onlyOf(where)}'`);
  }
}

/** Which of all workloads, one length after the other, were tried, and how many there are of up to each length. */
function inOrder(from: number, end: number, length: number): string {
  const all = Array.from({ length }, (_, index) => workloadsUpTo(index + 1));
  return `  in order from ${from} to ${end - 1} of ${all.join(', ')}`;
}

/** What was left out, and how to go on with that. */
function printRest(name: string, tally: Tally, { length, cap, sample, from }: Arguments) {
  const { isComplete, next, workloads, cutWorkloads } = tally;
  if (name === 'exhaustive') {
    say(`  cap of ${cap} cut ${cutWorkloads} workloads of ${workloads}`);
    if (sample === 0) say(inOrder(from, isComplete ? workloadsUpTo(length) : next, length));
  }
  if (isComplete) return;
  const short = Math.min(length, COMPLETE_LENGTH);
  const all = workloadsUpTo(length);
  const which =
    sample === 0
      ? 'one length after the other'
      : `the first ${workloadsUpTo(short)} are all of up to ${short} operations, the others a sample, seed ${sample}`;
  if (name === 'exhaustive') say(`  workloads ${from} to ${next - 1} of ${all}: ${which}`);
  if (name === 'interleaved') say(`  pairs ${from} to ${next - 1} of ${PAIRS}, in a fixed order`);
  const order = name === 'exhaustive' ? `--sample=${sample} ` : '';
  const goOn = ['random', 'turns', 'repaired'].includes(name)
    ? `--seed=${next}`
    : `${order}--from=${next}`;
  say(`  go on: node tools/run-typescript.mjs tests/sim/main.ts --harness=${name} ${goOn}`);
}

async function main(): Promise<void> {
  const given = argumentsOf(process.argv.slice(2));
  const codecs = await loadCodecs();
  let violations = 0;
  let states = 0;
  for (const name of given.only === undefined ? given.harness : ['only']) {
    const start = Date.now();
    const used = spent();
    const tally =
      given.only === undefined
        ? await runHarness(name, codecs, given, states)
        : await runOnly(given.only, codecs, given);
    print(name, tally, (Date.now() - start) / 1000, (spent() - used) / 1000);
    printRest(name, tally, given);
    violations += tally.violations.length;
    states += tally.states;
    if (given.brief && violations > 0) break;
  }
  process.exitCode = violations > 0 ? 1 : 0;
}

if (isMainThread) void main();
else void takeTurns(inThread(workerData));
