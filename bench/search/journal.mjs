// A journal of a million documents: what a search in a new process takes, and what it took to get the index there.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytesIn, filesIn } from '../lib/files.mjs';
import { largeJournal } from '../lib/large.mjs';
import { loadProgram } from '../lib/program.mjs';
import { seeded } from '../lib/random.mjs';
import { atLeastRow, singleRow, valueRow } from '../lib/report.mjs';
import { run } from '../lib/rounds.mjs';
import { scratch } from '../lib/scratch.mjs';
import { linesOf } from './ask.mjs';

/** Half of them are documents: prompts, answers, calls and their outcomes. */
const EVENTS = 2_050_000;
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
  const keeping = await keepUp(cwd, program);
  search(queries[0]);
  const asked = queries.map((query) => search(query));
  const size = bytesIn(filesIn(index)) / 1e6;
  rmSync(index, { recursive: true, force: true });
  const documents = asked[0].found.events;
  const about = (figure) =>
    `search, a journal of ${documents.toLocaleString('en')} documents: ${figure}`;
  const found = asked.filter(({ found }) => found.matches.length > 0).length;
  return [
    valueRow(
      about('ben10 search in a new process'),
      asked.map(({ ms }) => ms),
      'ms',
      250,
    ),
    singleRow(about('its memory'), Math.max(...asked.map(({ mb }) => mb)), 'MB', 200),
    singleRow(about('keeping up, each, processor time'), (keeping * 1000) / documents, 'µs', 80),
    singleRow(about('size of the index'), size, 'MB'),
    atLeastRow(about('queries that found something'), (100 * found) / ROUNDS, '%', undefined, 100),
  ];
}

/** As a server at rest does it. @returns milliseconds of processor time */
async function keepUp(dir, { openProject, indexOf, lock, loadXxh64 }) {
  const project = openProject(dir, { lockBudgetMs: 5000, lock, hash: await loadXxh64() });
  const start = process.cpuUsage();
  for (const _ of indexOf(project).steps(true));
  const { user, system } = process.cpuUsage(start);
  project.close();
  return (user + system) / 1000;
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
