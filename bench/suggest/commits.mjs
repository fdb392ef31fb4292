import { createHash } from 'node:crypto';
import { copyOf, git, setTo } from './program.mjs';
import { gitAlone, Tally, TOP } from './ranked.mjs';

const FILES = { least: 3, most: 15 };

/**
 * A repository's commits: one file of each is hidden, the others are the pack, and what is known is what there was before. Without
 * any journal.
 * @param half 0 or 1, by the commit's name
 */
export async function inCommits(program, repository, { half, most }) {
  const tally = new Tally();
  const dir = copyOf(repository);
  if (dir === null) return tally;
  const project = program.openProject(dir, { lockBudgetMs: 5000, lock: program.lock });
  const all = git(dir, 'log', '--no-merges', '--format=%H')
    .split('\n')
    .filter((name) => digest(name) % 2 === half);
  for (const commit of all) {
    if (tally.cuts >= most) break;
    const changed = git(
      dir,
      'diff-tree',
      '-r',
      '--no-commit-id',
      '--name-only',
      '--no-renames',
      commit,
    );
    const parent = git(dir, 'log', '-1', '--format=%P', commit);
    const files = changed.split('\n').filter(Boolean);
    if (parent === '' || files.length < FILES.least || files.length > FILES.most) continue;
    const there = setTo(dir, parent);
    const old = files.filter((file) => there.has(file)).sort();
    if (old.length < 2) continue;
    const hidden = old[(digest(commit) >> 1) % old.length];
    const pack = new Set(old.filter((file) => file !== hidden));
    const ours = await program.suggest(project, pack, { limit: TOP });
    tally.add([hidden], {
      ours: ours.map(({ file }) => file),
      ...gitAlone(await program.commitsOf(dir), pack, (file) => there.has(file)),
    });
  }
  project.close();
  return tally;
}

const digest = (name) => createHash('sha256').update(name).digest().readUInt16BE(0);
