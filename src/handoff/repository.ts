import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isOutside } from '../platform/inside.ts';
import { FILTERS_ASKED, filtersIn, filtersOff, safeGit } from '../platform/programs/git.ts';
import { type RunNow, runNow } from '../platform/programs/run-now.ts';

/** A repository, as git is asked in it: without hooks, the repository's own programs, prompts and network. */
export interface Repository {
  /** Of the working tree. */
  top: string;
  /** Of this worktree. */
  gitDir: string;
  index: string;
  objects: string;
  /** Names of filters in the repository's own settings. */
  filters: readonly string[];
  /** One character a byte. @throws NotDone */
  git(args: readonly string[], more?: Pick<RunNow, 'env' | 'input'>): string;
  /** The same; undefined if git fails. */
  tryGit(args: readonly string[], more?: Pick<RunNow, 'env' | 'input'>): string | undefined;
  left(): number;
}

/** Why something was not done; its message is for people. */
export class NotDone extends Error {
  /** With more time it may be. */
  readonly isLate: boolean;

  constructor(message: string, isLate = false) {
    super(message);
    this.isLate = isLate;
  }
}

/** What would lead git elsewhere: `git rev-parse --local-env-vars`. */
const ELSEWHERE = Object.fromEntries(
  'ALTERNATE_OBJECT_DIRECTORIES CONFIG CONFIG_PARAMETERS CONFIG_COUNT OBJECT_DIRECTORY DIR WORK_TREE IMPLICIT_WORK_TREE GRAFT_FILE INDEX_FILE NO_REPLACE_OBJECTS REPLACE_REF_BASE PREFIX SHALLOW_FILE COMMON_DIR'
    .split(' ')
    .map((name) => [`GIT_${name}`, undefined]),
);

/** Settings that would change what is written, or where. */
const PLAIN = ['splitIndex=false', 'bigFileThreshold=512m', 'safecrlf=false', 'quotePath=false'];

/** @throws NotDone without a repository, or without git */
export function repositoryAt(dir: string, left: () => number): Repository {
  const ask = (args: readonly string[]) => runNow('git', args, dir, { left, env: ELSEWHERE });
  const places = ['--show-toplevel', '--absolute-git-dir', '--git-path', 'index', '--git-path'];
  const found = ask(safeGit('rev-parse', ...places, 'objects'))?.split('\n');
  if (found?.length !== 5) {
    const isLate = left() <= 0;
    const isThere = !isLate && ask(['--version']) !== undefined;
    throw new NotDone(isThere ? 'there is no git repository' : 'git did not answer', isLate);
  }
  const [top, gitDir, index, objects] = found.map((one) =>
    path.resolve(dir, Buffer.from(one, 'latin1').toString()),
  ) as [string, string, string, string, string];
  if (isOutside(top, realpathSync.native(dir)))
    throw new NotDone("git's working tree is another folder");
  const [scoped, plain] = FILTERS_ASKED.map((args) => ask(args));
  const filters = filtersIn(scoped, plain);
  const off = filtersOff(filters);
  if (off === undefined) throw new NotDone("the repository's filters cannot be switched off");
  const settings = PLAIN.flatMap((one) => ['-c', `core.${one}`]);
  const tryGit: Repository['tryGit'] = (args, { env, input = '' } = {}) =>
    runNow('git', [...off, ...settings, ...args], top, {
      left,
      env: { ...ELSEWHERE, ...env },
      input,
    });
  return {
    top,
    gitDir,
    index,
    objects,
    filters: filters!,
    left,
    tryGit,
    git(args, more) {
      const answer = tryGit(args, more);
      if (answer !== undefined) return answer;
      const isLate = left() <= 0;
      throw new NotDone(isLate ? 'git took too long' : `git ${args[0]} failed`, isLate);
    },
  };
}
