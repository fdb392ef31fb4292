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
  const listed = await run(
    'git',
    safeGit('config', '--list', '--null', '--name-only', '--show-scope'),
    dir,
  );
  if (listed === undefined) return undefined;
  const fields = listed.split('\0');
  const filters = new Set<string>();
  for (let at = 1; at < fields.length; at += 2) {
    const [, name] = FILTER.exec(fields[at]!) ?? [];
    if (name !== undefined && OWN_SCOPES.has(fields[at - 1]!)) filters.add(name);
  }
  const names = [...filters];
  if (names.length > FILTERS_MAX || names.some((name) => name.includes('='))) return undefined;
  const off = names.flatMap((name) =>
    ['clean=', 'process=', 'required=false'].flatMap((set) => ['-c', `filter.${name}.${set}`]),
  );
  // A submodule's own status would be asked for, with filters of its own.
  return run('git', safeGit(...off, 'status', '--ignore-submodules=dirty', ...args), dir);
}

const OWN_SCOPES: ReadonlySet<string> = new Set(['local', 'worktree']);
