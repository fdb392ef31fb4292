import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../lib/rounds.mjs';
import { scratch } from '../lib/scratch.mjs';

/** ben10 as its users have it: a project with these transcripts, and what its own commands say of it. */
export function projectOf(entry, transcripts) {
  const dir = path.join(scratch(), 'project');
  mkdirSync(dir);
  const ben10 = (...args) => run(process.execPath, [entry, ...args], { cwd: dir });
  ben10('init');
  ben10('import', '--here', ...transcripts);
  return { dir, ben10 };
}

/** @returns for each query, in order, its matches */
export function ask({ dir, ben10 }, queries, limit) {
  const file = path.join(scratch(), 'queries.jsonl');
  writeFileSync(
    file,
    queries.map((query, id) => `${JSON.stringify({ id: String(id), query })}\n`).join(''),
  );
  const out = ben10('search', '--queries', file, '--json', '--limit', String(limit));
  const matches = new Map(linesOf(out).map((answer) => [answer.id, answer.matches]));
  return queries.map((query, id) => {
    const found = matches.get(String(id));
    if (found === undefined) throw new Error(`no answer to "${query}" in ${dir}`);
    return found;
  });
}

export const linesOf = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
