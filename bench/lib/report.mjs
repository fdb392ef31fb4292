import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chart } from './chart.mjs';
import { text } from './format.mjs';
import { ratioOf, summary } from './stats.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * `--quick`: fewer rounds and smaller data. `--json`: for programs. `--save`: into `bench/results/`. `--misses` lists what did not
 * come back. Of `recall/` alone: `--pool` and `--seed` choose the sessions. Of `search` alone: `--data` is LoCoMo's file, `--sessions` a
 * folder of projects with transcripts, `--half` of them `tuning` or `held-out`, `--part` one of its parts.
 */
export const flags = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    pool: { type: 'string' },
    seed: { type: 'string' },
    data: { type: 'string' },
    sessions: { type: 'string', multiple: true },
    half: { type: 'string' },
    part: { type: 'string' },
  },
}).values;

/** What a figure was measured on. */
export function machine() {
  const cpu = cpus();
  return {
    date: new Date().toISOString(),
    node: process.version,
    cpu: `${cpu[0].model.trim()} × ${cpu.length}`,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
    loadBefore: loadavg().map((load) => Number(load.toFixed(2))),
    commit: commit(),
    versions: versions(),
  };
}

/** Of the program and of the peers that are there. */
function versions() {
  const about = (...at) => JSON.parse(readFileSync(path.join(root, ...at, 'package.json'), 'utf8'));
  const found = { ben10: about().version };
  for (const name of Object.keys(about('bench').dependencies)) {
    try {
      found[name] = about('bench', 'node_modules', name).version;
    } catch {
      // Not installed: its rows say so.
    }
  }
  return found;
}

function commit() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
    // What the run before this one saved changes nothing that is measured.
    const changed = git('status', '--porcelain', '--', '.', ':!bench/results');
    return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '+');
  } catch {
    return null;
  }
}

/** Of a goal, in a first look: fewer rounds beside busy neighbours tell only what is clearly off. */
const SLACK = flags.quick ? 1.5 : 1;
const isWithin = (value, goal) => (goal === undefined ? null : value <= goal * SLACK);

/**
 * A figure as a ratio to a peer of the same run.
 * @param goal the highest ratio that passes; undefined where none is set
 * @param was what it was before it was met easily
 */
export function ratioRow(figure, ours, peer, peerName, goal, was) {
  const { ratio, p25, p75 } = ratioOf(ours, peer);
  const row = { figure, unit: 'ratio', value: ratio, p25, p75, peer: peerName };
  const pass = isWithin(ratio, goal);
  const aim = { goal: goal ?? null, ...(was && { was }) };
  return { ...row, ...aim, pass, ours: summary(ours), theirs: summary(peer) };
}

/** The same of the slowest twentieth of either side. */
export function p95Row(figure, ours, peer, peerName, goal, was) {
  const [own, other] = [summary(ours), summary(peer)];
  const value = own.p95 / other.p95;
  const row = { figure: `${figure}: p95`, unit: 'ratio', value, p25: null, p75: null };
  const pass = isWithin(value, goal);
  const [at95, peerAt95] = [own, other].map((side) => ({ ...side, median: side.p95 }));
  const aim = { goal: goal ?? null, ...(was && { was }) };
  return { ...row, peer: peerName, ...aim, pass, ours: at95, theirs: peerAt95 };
}

/** A ratio that could not be measured. It is not met: a goal that nobody looks at is none. */
export function missingRow(figure, peerName, goal) {
  const row = { figure, unit: 'ratio', value: null, p25: null, p75: null, peer: peerName };
  return { ...row, goal: goal ?? null, pass: false, ours: null, theirs: null };
}

/** A figure that stands by itself. @param goal the highest value that passes @param was as for `ratioRow` */
export function valueRow(figure, samples, unit, goal, was) {
  const { median, p25, p75 } = summary(samples);
  const row = { figure, unit, value: median, p25, p75, peer: null };
  const pass = isWithin(median, goal);
  const aim = { goal: goal ?? null, ...(was && { was }) };
  return { ...row, ...aim, pass, ours: summary(samples), theirs: null };
}

/** One number, where a spread has no meaning. */
export function singleRow(figure, value, unit, goal, was) {
  const row = { figure, unit, value, p25: null, p75: null, peer: null };
  const aim = { goal: goal ?? null, ...(was && { was }) };
  return { ...row, ...aim, pass: isWithin(value, goal), ours: null, theirs: null };
}

/**
 * A share or a ratio where more is better.
 * @param unit `%` or `times`
 * @param beside what it is seen beside, in words
 * @param goal the lowest value that passes; less of it in a first look, which counts few
 */
export function atLeastRow(figure, value, unit, beside, goal) {
  const pass = goal === undefined ? null : value * SLACK >= goal;
  const row = { figure, unit, value, p25: null, p75: null, peer: beside ?? null, least: true };
  return { ...row, goal: goal ?? null, pass, ours: null, theirs: null };
}

/** How many times as fast a case is, when it is timed: that many of ours are done while the peer does one. */
export function timesRow(figure, ours, peer, peerName, goal) {
  const { ratio, p25, p75 } = ratioOf(peer, ours);
  const row = { figure, unit: 'times', value: ratio, p25, p75, peer: peerName, least: true };
  const pass = goal === undefined ? null : ratio * SLACK >= goal;
  return { ...row, goal: goal ?? null, pass, ours: summary(ours), theirs: summary(peer) };
}

/** Runs one script's measurement and says its rows in the form that was asked for. */
export async function script(name, measure) {
  const about = machine();
  const rows = await measure(about);
  if (flags.quick) markRecorded(name, rows);
  const result = { name, ...about, quick: flags.quick, rows };
  if (flags.save) save(name, result);
  process.stdout.write(flags.json ? `${JSON.stringify(result, null, 2)}\n` : text(result));
  if (rows.some(isFailed)) process.exitCode = 1;
}

/** What says the same on every machine. */
const RELATIVE = new Set(['ratio', 'times', '%']);

/** A goal that is missed; in a first look only one of a ratio, and none whose miss is told in `bench/results/` already. */
export const isFailed = ({ pass, recorded, unit }) =>
  pass === false && recorded !== true && (!flags.quick || RELATIVE.has(unit));

/**
 * A first look fails on what is clearly off: of a figure whose goal was missed when it was measured at length, that is what is half
 * as much again beside that measurement. Figures are told apart by their words without numbers, which say how many events there were.
 */
function markRecorded(name, rows) {
  const file = path.join(root, 'bench', 'results', `${name}.json`);
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).rows : [];
  const keyed = new Map();
  for (const before of known)
    keyed.set(keyOf(before), [...(keyed.get(keyOf(before)) ?? []), before]);
  for (const row of rows) {
    const before = keyed.get(keyOf(row))?.shift();
    if (before === undefined || before.pass !== false || row.pass !== false || row.value === null)
      continue;
    const [more, less] = row.least ? [before.value, row.value] : [row.value, before.value];
    row.recorded = more <= less * SLACK;
  }
}

const keyOf = ({ figure, peer }) => `${figure} / ${peer}`.replace(/\d[\d.,]*/g, '#');

function save(name, result) {
  const dir = path.join(root, 'bench', 'results');
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(path.join(dir, `${name}.svg`), chart(result));
}
