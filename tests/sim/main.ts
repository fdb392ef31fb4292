import { flipBits } from './damage.ts';
import { crashWorkload, exhaust, newTally, type Tally } from './exhaustive.ts';
import { interleave } from './interleaved.ts';
import { loadCodecs } from './process.ts';
import { optionsOf, type RandomOptions, runRandom } from './random.ts';
import type { Letter, Style } from './workload.ts';

/** What `node tests/sim/run.mjs` takes; `README.md` says more. */
interface Arguments {
  harness: string[];
  /** For each harness. */
  seconds: number;
  /** Operations in a workload of the exhaustive harness. */
  length: number;
  cap: number;
  nested: number;
  /** Of the random harness. */
  seed: number;
  stride: number;
  /** Stop at the first violation. */
  brief: boolean;
  /** The only pair of the interleaved harness, as `pprp:c:c`. */
  pair: string | undefined;
  /** Run this alone: a line of the random harness, or `server bpd` of the exhaustive one. */
  only: string | undefined;
}

const SHOWN_MAX = 8;

const say = (line: string) => void process.stdout.write(`${line}\n`);

function argumentsOf(given: readonly string[]): Arguments {
  const values = new Map(
    given.map((one) => one.replace(/^--/, '').split(/=(.*)/s) as [string, string]),
  );
  const number = (name: string, otherwise: number) => Number(values.get(name) ?? otherwise);
  return {
    harness: (values.get('harness') ?? 'exhaustive,interleaved,damage,random').split(','),
    seconds: number('seconds', 60),
    length: number('length', 4),
    cap: number('cap', 10),
    nested: number('nested', 3),
    seed: number('seed', 1),
    stride: number('stride', 7),
    brief: values.has('brief'),
    pair: values.get('pair'),
    only: values.get('only'),
  };
}

type Codecs = Awaited<ReturnType<typeof loadCodecs>>;

function runHarness(name: string, codecs: Codecs, given: Arguments): Tally {
  const until = Date.now() + given.seconds * 1000;
  const options = { until, isBrief: given.brief };
  const tally = newTally();
  if (name === 'exhaustive') {
    const { length, cap, nested } = given;
    return exhaust(codecs, { ...options, length, cap, nestedCap: nested });
  }
  if (name === 'interleaved') interleave(codecs, { ...options, pair: given.pair }, tally);
  else if (name === 'damage') flipBits(codecs, { ...options, stride: given.stride }, tally);
  else if (name === 'random') {
    for (let seed = given.seed; Date.now() < until; seed += 1) {
      runRandom(codecs, optionsOf(seed), tally);
      if (given.brief && tally.violations.length > 0) break;
    }
  } else throw new RangeError(`no such harness: ${name}`);
  return tally;
}

function runOnly(line: string, codecs: Codecs, { cap, nested }: Arguments): Tally {
  const tally = newTally();
  if (line.startsWith('{')) runRandom(codecs, JSON.parse(line) as RandomOptions, tally);
  else {
    const [style, word] = line.split(' ') as [Style, string];
    const options = {
      length: word.length,
      cap,
      nestedCap: nested,
      until: Number.POSITIVE_INFINITY,
    };
    crashWorkload(codecs, [...word] as Letter[], style, options, tally);
  }
  return tally;
}

function print(name: string, tally: Tally, seconds: number, cpu: number): void {
  const { states, nested, points, workloads, cutPoints, cutStates, violations } = tally;
  const row = [
    name.padEnd(12),
    `${states} states recovered`,
    `${violations.length} violations`,
    `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of one core`,
    `${workloads} workloads, ${points} points, ${nested} crashed recoveries`,
    `cap cut ${cutStates} states at ${cutPoints} points`,
    tally.isComplete ? 'complete' : 'time over',
  ];
  say(row.join(' | '));
  for (const [exception, { count, first }] of tally.exceptions)
    say(`  known: ${exception}, ${count} times, first at: ${first}`);
  for (const { where, sentence, text } of violations.slice(0, SHOWN_MAX))
    say(`  sentence ${sentence}: ${text}\n    at: ${where}`);
}

async function main(): Promise<void> {
  const given = argumentsOf(process.argv.slice(2));
  const codecs = await loadCodecs();
  let violations = 0;
  for (const name of given.only === undefined ? given.harness : ['only']) {
    const start = Date.now();
    const used = process.cpuUsage();
    const tally =
      given.only === undefined
        ? runHarness(name, codecs, given)
        : runOnly(given.only, codecs, given);
    const { user, system } = process.cpuUsage(used);
    print(name, tally, (Date.now() - start) / 1000, (user + system) / 1e6);
    violations += tally.violations.length;
    if (given.brief && violations > 0) break;
  }
  process.exitCode = violations > 0 ? 1 : 0;
}

void main();
