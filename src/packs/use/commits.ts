import { safeGit } from '../../platform/programs/git.ts';
import { runner } from '../../platform/programs/run.ts';

/** Older commits changed another project; so many names stay below what a program may print. */
const COMMITS_MAX = 500;
/** Asked again with fewer, where the commits are too large. */
const FEWER = 50;
const GIT_MS = 5000;
/** Larger commits move, format or import; they say nothing of what belongs together. */
const FILES_MAX = 50;

/** The files of each of the last commits, newest first; none where git has no answer. Nothing of the repository's settings runs. */
export async function commitsOf(dir: string): Promise<string[][]> {
  const run = runner(AbortSignal.timeout(GIT_MS));
  const log = (most: number) =>
    run(
      'git',
      safeGit(
        ...[
          'log',
          `-n${most}`,
          '--no-merges',
          '--no-renames',
          '--no-show-signature',
          '-O/dev/null',
          '-z',
        ],
        ...['--format=%x01', '--name-only', '--relative', '--ignore-submodules', '--', '.'],
      ),
      dir,
    );
  const text = (await log(COMMITS_MAX)) ?? (await log(FEWER)) ?? '';
  return text
    .split('\x01')
    .map((names) => names.split(/[\0\n]+/).filter(Boolean))
    .filter(({ length }) => length > 0 && length <= FILES_MAX);
}
