import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FIXTURES, grow } from './grow.mjs';
import { cache, digestOfFiles, root } from './program.mjs';
import { scratch } from './scratch.mjs';

const SOURCES = [
  ...FIXTURES,
  fileURLToPath(new URL('grow.mjs', import.meta.url)),
  ...[
    'journal/format/format.ts',
    'journal/format/envelope.ts',
    'events/types.ts',
    'events/catalogue.ts',
  ].map((file) => path.join(root, 'src', file)),
];
/** As many as one append of an import. */
const BATCH = 256;

/**
 * A project with a journal of that many events, written by the program's own writer. Made once and kept; what is
 * returned is a copy of it that may be appended to.
 */
export function projectWith(events, program) {
  const master = path.join(cache, `journal-${events}-${digestOfFiles(SOURCES)}`);
  if (!existsSync(master)) {
    process.stderr.write(`growing a journal of ${events} events (kept in ${cache})…\n`);
    const work = scratch();
    fill(work, events, program);
    mkdirSync(cache, { recursive: true });
    renameSync(work, master);
  }
  const copy = scratch();
  cpSync(master, copy, { recursive: true });
  return copy;
}

/** As hooks leave a journal: at the end of each turn its session's state is looked at, and stored where it is due. */
export async function keepTurns(dir, { openProject, loadXxh64, lock, queryLog, context }) {
  const project = openProject(dir, { lockBudgetMs: 5000, lock, hash: await loadXxh64() });
  for (const { session, seq } of queryLog(project, { types: ['turn.ended'] }))
    project.states.at(context, session, { upto: seq });
  project.close();
}

function fill(dir, events, program) {
  const { openProject, lock } = program;
  const project = openProject(dir, { lockBudgetMs: 5000, lock });
  const { recorder } = project;
  let batch = [];
  let left = events;
  for (const seen of grow(program)) {
    batch.push(recorder.event(seen, 'hook'));
    if (batch.length < Math.min(BATCH, left)) continue;
    const { written } = recorder.append(batch);
    left -= written;
    batch = [];
    if (left === 0) break;
  }
  project.close();
}
