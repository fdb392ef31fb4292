import type { Run } from './run.ts';

/** A repository's settings must not start programs, such as monitors and hooks. */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
/** Keeps the command line below the system's limit. */
const FILTERS_MAX = 100;
const FILTER = /^filter\.(.+)\.[^.]+$/s;

/** Arguments for `git log` and others that read no file of the working tree. */
export const safeGit = (...args: readonly string[]): string[] => [...SAFE, ...args];

/**
 * Runs `git status` without the filter programs of the repository's settings; the user's own filters stay.
 * @returns undefined if it fails, or the repository's filters cannot be switched off
 */
export async function statusOf(
  run: Run,
  dir: string,
  ...args: readonly string[]
): Promise<string | undefined> {
  const off = await withoutFilters(run, dir);
  // The status of a submodule would run its filters.
  return off && run('git', [...off, 'status', '--ignore-submodules=dirty', ...args], dir);
}

/**
 * What stands before a command that reads files of the working tree.
 * @returns undefined if the repository's filters cannot be switched off
 */
export async function withoutFilters(run: Run, dir: string): Promise<string[] | undefined> {
  const [scoped, plain] = FILTERS_ASKED;
  const asked = await run('git', scoped, dir);
  return filtersOff(filtersIn(asked, asked === undefined ? await run('git', plain, dir) : asked));
}

const LIST = safeGit('config', '--list', '--null', '--name-only');
/** What `filtersIn` reads; git before 2.26 has no --show-scope. */
export const FILTERS_ASKED = [[...LIST, '--show-scope'], LIST] as const;

const OWN_SCOPES: ReadonlySet<string> = new Set(['local', 'worktree']);

/** Names of the repository's own filters; without scopes the user's filters count as the repository's. */
export function filtersIn(scoped: string | undefined, plain: string | undefined) {
  const all = scoped?.split('\0');
  const keys =
    all?.filter((_, at) => at % 2 === 1 && OWN_SCOPES.has(all[at - 1]!)) ?? plain?.split('\0');
  return keys && [...new Set(keys.flatMap((key) => FILTER.exec(key)?.[1] ?? []))];
}

/** @returns undefined if they cannot be switched off */
export function filtersOff(names: readonly string[] | undefined): string[] | undefined {
  if (names === undefined) return undefined;
  if (names.length > FILTERS_MAX || names.some((name) => name.includes('='))) return undefined;
  const off = names.flatMap((name) =>
    ['clean=', 'process=', 'required=false'].flatMap((set) => ['-c', `filter.${name}.${set}`]),
  );
  return safeGit(...off);
}
