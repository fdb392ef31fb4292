// A journal of a million documents: what a search in a new process takes, and what it took to get the index there.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { largeJournal } from '../lib/large.mjs';
import { loadProgram } from '../lib/program.mjs';
import { seeded } from '../lib/random.mjs';
import { atLeastRow, singleRow, valueRow } from '../lib/report.mjs';
import { run } from '../lib/rounds.mjs';
import { scratch } from '../lib/scratch.mjs';
import { linesOf } from './ask.mjs';

/** Two of three events are documents: prompts, answers, calls and their outcomes. */
const EVENTS = 1_550_000;
const BYTES = 500;
const ROUNDS = 15;
const PEAK = fileURLToPath(new URL('../lib/peak.cjs', import.meta.url));

export async function journal(entry, isQuick) {
  const program = await loadProgram();
  const events = isQuick ? EVENTS / 20 : EVENTS;
  const { dir: cwd } = await largeJournal(events, BYTES, program);
  const index = path.join(cwd, '.ben10', 'search');
  rmSync(index, { recursive: true, force: true });
  const search = (...words) => {
    const file = path.join(scratch(), 'peak');
    const args = ['-r', PEAK, entry, 'search', '--json', '--limit', '10', ...words];
    const start = performance.now();
    const out = run(process.execPath, args, { cwd, env: { BENCH_PEAK_FILE: file } });
    const ms = performance.now() - start;
    return { ms, mb: Number(readFileSync(file, 'utf8')) / 1e6, found: JSON.parse(out) };
  };
  const queries = queriesOf(entry, cwd, ROUNDS);
  const first = search(queries[0]);
  const documents = first.found.events;
  search(queries[0]);
  const warm = queries.map((query) => search(query));
  const took = warm.map(({ ms }) => ms);
  rmSync(index, { recursive: true, force: true });
  const about = `search, a journal of ${documents.toLocaleString('en')} documents`;
  return [
    valueRow(`${about}: ben10 search in a new process`, took, 'ms', 250),
    singleRow(`${about}: its memory`, Math.max(...warm.map(({ mb }) => mb)), 'MB', 200),
    singleRow(
      `${about}: keeping up, each`,
      ((first.ms - Math.min(...took)) * 1000) / documents,
      'µs',
      80,
    ),
    singleRow(`${about}: memory while keeping up`, first.mb, 'MB'),
    atLeastRow(
      `${about}: queries that found something`,
      (100 * warm.filter(({ found }) => found.matches.length > 0).length) / ROUNDS,
      '%',
      undefined,
      100,
    ),
  ];
}

/** Four words in a row of what was said, from anywhere. */
export function queriesOf(entry, cwd, count) {
  const args = [entry, 'log', '--type', 'message.recorded', '--json', '--limit', '5000'];
  const texts = linesOf(run(process.execPath, args, { cwd }))
    .map(({ data }) => (data?.text ?? '').match(/[A-Za-z]{3,}/g) ?? [])
    .filter((words) => words.length >= 4);
  const random = seeded(7);
  return Array.from({ length: count }, () => {
    const words = texts[Math.floor(random() * texts.length)];
    const at = Math.floor(random() * (words.length - 3));
    return words.slice(at, at + 4).join(' ');
  });
}
