// The figures in journal-format/DURABILITY.md: written by the run that measured them, and by nobody else.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** The commit that is measured; with a sign when the tree is not the commit's. */
export function commitOf() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', 'src', 'tests', 'tools') !== '';
  return git('rev-parse', '--short', 'HEAD') + (isChanged ? ' with changes' : '');
}

const STARTS = 9;

/** How long a Node with nothing to do takes here, milliseconds: most of what the rows with processes take. */
function emptyNodeMs() {
  const taken = Array.from({ length: STARTS }, () => {
    const started = performance.now();
    execFileSync(process.execPath, ['-e', '0'], { env: {} });
    return performance.now() - started;
  });
  return Math.round(taken.sort((one, other) => one - other)[STARTS >> 1]);
}

/** Date, commit, Node and machine, in one line. Ask when nothing else runs. */
export function aboutRun(commit) {
  const machine = `${cpus().length} × ${cpus()[0].model.trim()}, ${process.platform}, an empty Node in ${emptyNodeMs()} ms`;
  return `${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.versions.node}, ${machine}`;
}

/** @param rows of cells, the first is the head */
export function markdownTable(rows) {
  const [head, ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [head, `|${'---|'.repeat(rows[0].length)}`, ...body];
}

/** @param name of the place: what stands between `<!-- name -->` and `<!-- /name -->` is replaced */
export function writeFigures(name, lines) {
  const file = path.join(root, 'journal-format/DURABILITY.md');
  const text = readFileSync(file, 'utf8');
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${file} has no place for ${name}`);
  const before = text.slice(0, from + start.length);
  writeFileSync(file, `${before}\n${lines.join('\n')}\n\n${text.slice(to)}`);
}
