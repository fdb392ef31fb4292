import type { Run } from './run.ts';

/** A repository's own settings must start no programs: of its monitor, its hooks, or, as it looks into them, its submodules. */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
/** More than anybody sets; a command line is no longer than the system has it. */
const FILTERS_MAX = 100;
const FILTER = /^filter\.(.+)\.[^.]+$/s;

/** What git is started with before `log`, `worktree` and others that read no file of the working tree. */
export const safeGit = (...args: readonly string[]): string[] => [...SAFE, ...args];

/**
 * What `git status` says, which has a file that was touched go through the program that its repository names for it, but for
 * these. Filters of the user's own settings stay.
 * @returns undefined also where the repository's are not known, or one has a name that no option can have
 */
export async function statusOf(
  run: Run,
  dir: string,
  ...args: readonly string[]
): Promise<string | undefined> {
  const names = await ownFilters(run, dir);
  if (names === undefined) return undefined;
  if (names.length > FILTERS_MAX || names.some((name) => name.includes('='))) return undefined;
  const off = names.flatMap((name) =>
    ['clean=', 'process=', 'required=false'].flatMap((set) => ['-c', `filter.${name}.${set}`]),
  );
  // A submodule's own status would be asked for, with filters of its own.
  return run('git', safeGit(...off, 'status', '--ignore-submodules=dirty', ...args), dir);
}

const OWN_SCOPES: ReadonlySet<string> = new Set(['local', 'worktree']);

/** Names of the filters that the repository's settings have programs for. */
async function ownFilters(run: Run, dir: string): Promise<string[] | undefined> {
  const list = (...more: readonly string[]) =>
    run('git', safeGit('config', '--list', '--null', '--name-only', ...more), dir);
  const scoped = (await list('--show-scope'))?.split('\0');
  // Before 2.26 git tells no scope: the user's filters count as the repository's.
  const keys =
    scoped?.filter((_, at) => at % 2 === 1 && OWN_SCOPES.has(scoped[at - 1]!)) ??
    (await list())?.split('\0');
  return keys && [...new Set(keys.flatMap((key) => FILTER.exec(key)?.[1] ?? []))];
}
