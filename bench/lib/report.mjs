import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ratioOf, summary } from './stats.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * `--quick`: fewer rounds and smaller data. `--json`: for programs. `--save`: into `bench/results/`. Of `recall/` alone:
 * `--misses` lists what did not come back, `--pool` and `--seed` choose the sessions.
 */
export const flags = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    pool: { type: 'string' },
    seed: { type: 'string' },
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
  };
}

function commit() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
  } catch {
    return null;
  }
}

/**
 * A figure as a ratio to a peer of the same run.
 * @param goal the highest ratio that passes; undefined where none is set
 */
export function ratioRow(figure, ours, peer, peerName, goal) {
  const { ratio, p25, p75 } = ratioOf(ours, peer);
  const pass = goal === undefined ? null : ratio <= goal;
  const row = { figure, unit: 'ratio', value: ratio, p25, p75, peer: peerName };
  return { ...row, goal: goal ?? null, pass, ours: summary(ours), theirs: summary(peer) };
}

/** A figure that stands by itself. @param goal the highest value that passes */
export function valueRow(figure, samples, unit, goal) {
  const { median, p25, p75 } = summary(samples);
  const pass = goal === undefined ? null : median <= goal;
  const row = { figure, unit, value: median, p25, p75, peer: null };
  return { ...row, goal: goal ?? null, pass, ours: summary(samples), theirs: null };
}

/** One number, where a spread has no meaning. */
export function singleRow(figure, value, unit, goal) {
  const pass = goal === undefined ? null : value <= goal;
  const row = { figure, unit, value, p25: null, p75: null, peer: null };
  return { ...row, goal: goal ?? null, pass, ours: null, theirs: null };
}

/**
 * A share or a ratio where more is better.
 * @param unit `%` or `times`
 * @param beside what it is seen beside, in words
 * @param goal the lowest value that passes
 */
export function atLeastRow(figure, value, unit, beside, goal) {
  const pass = goal === undefined ? null : value >= goal;
  const row = { figure, unit, value, p25: null, p75: null, peer: beside ?? null, least: true };
  return { ...row, goal: goal ?? null, pass, ours: null, theirs: null };
}

/** Runs one script's measurement and says its rows in the form that was asked for. */
export async function script(name, measure) {
  const about = machine();
  const rows = await measure();
  const result = { name, ...about, quick: flags.quick, rows };
  if (flags.save) save(name, result);
  process.stdout.write(flags.json ? `${JSON.stringify(result, null, 2)}\n` : text(result));
  if (rows.some(({ pass }) => pass === false)) process.exitCode = 1;
}

function save(name, result) {
  const dir = path.join(root, 'bench', 'results');
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

export function text({ rows, ...about }) {
  const { date, node, cpu, system, commit: head, loadBefore } = about;
  const where = `${date} · node ${node} · ${cpu} · ${system} · ${head ?? 'no commit'}`;
  return `${where} · load ${loadBefore.join(' ')}\n\n${table(rows)}\n`;
}

function table(rows) {
  const head = ['figure', 'value', 'p25–p75', 'ours', 'peer', 'goal', ''];
  const lines = rows.map((row) => {
    const spread = row.p25 === null ? '' : `${number(row.p25)}–${number(row.p75)}`;
    const value =
      row.unit === 'ratio' ? `${number(row.value)} ×` : `${number(row.value)} ${row.unit}`;
    const ours = row.unit === 'ratio' ? `${number(row.ours.median)} ms` : '';
    const peer = row.theirs === null ? row.peer : `${row.peer} ${number(row.theirs.median)} ms`;
    const goal = row.goal === null ? '' : `${row.least ? '≥' : '≤'} ${row.goal}`;
    const verdict = row.pass === null ? '' : row.pass ? 'pass' : 'MISSED';
    return [row.figure, value, spread, ours, peer ?? '', goal, verdict];
  });
  const widths = head.map((title, i) => Math.max(title.length, ...lines.map((l) => l[i].length)));
  const row = (cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd();
  return [row(head), ...lines.map(row)].join('\n');
}

function number(value) {
  if (value === 0) return '0';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
  return value.toFixed(digits);
}
