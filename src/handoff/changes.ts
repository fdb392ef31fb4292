import { accessSync, constants, lstatSync } from 'node:fs';
import path from 'node:path';
import { errno } from '../platform/errors.ts';
import { NotDone, type Repository } from './repository.ts';

/** What differs from HEAD. Paths are from the top, one character a byte. */
export interface Changes {
  /** Undefined where there is no commit yet. */
  head: string | undefined;
  /** Undefined when detached. */
  branch: string | undefined;
  upstream: string | undefined;
  isStaged: boolean;
  /** A program of the repository would run over one of them. */
  isFiltered: boolean;
  /** Where the working tree is not as the index. */
  taken: string[];
  /** Why others stay out; empty for what nobody need be told. */
  leftOut: Map<string, string>;
}

/** Says why a path stays out of the commit; empty for what nobody need be told. */
export type Refuse = (file: string) => string | undefined;

const BYTES_MAX = 5 * 1024 * 1024;
const CHANGES_MAX = 10_000;
const IS_LINE =
  /^(?:1 (?<xy>..)(?: \S+){6}|(?<unmerged>u) ..(?: \S+){8}|(?<untracked>\?)) (?<name>.+)$/s;

interface Named {
  name?: string;
  /** How it differs in the index, and in the working tree. */
  xy?: string;
  unmerged?: string;
}

/** All that `git status` names. @throws NotDone */
export function changesIn(repository: Repository, refuse: Refuse): Changes {
  const asked = ['--porcelain=v2', '-z', '--branch', '--untracked-files=all', '--no-renames'];
  const status = repository.git(['status', ...asked, '--ignore-submodules=dirty']);
  const lines = status.split('\0');
  if (lines.length > CHANGES_MAX) throw new NotDone(`over ${CHANGES_MAX} files changed`);
  const about = (name: string, none = ''): string | undefined => {
    const found = lines.find((line) => line.startsWith(`# branch.${name} `));
    const said = found?.slice(`# branch.${name} `.length);
    return said === none ? undefined : said;
  };
  const found = lines.flatMap((line): Named[] => {
    const groups = IS_LINE.exec(line)?.groups;
    return groups === undefined ? [] : [groups];
  });
  const filters = filtersOf(repository, found);
  const leftOut = new Map<string, string>();
  for (const { name = '' } of found) {
    const why = refuse(shown(name)) ?? unfit(repository, name, filters.get(name));
    if (why !== undefined) leftOut.set(name, why);
  }
  const taken = found.filter(({ xy, name }) => xy?.[1] !== '.' && !leftOut.has(name!));
  return {
    head: about('oid', '(initial)'),
    branch: about('head', '(detached)'),
    upstream: about('upstream'),
    // An entry without content, by `git add -N`, is the user's, too.
    isStaged: found.some(({ xy = '..', unmerged }) => unmerged || /[^.].|.A/.test(xy)),
    isFiltered: found.some(({ name }) => filters.has(name!)),
    taken: taken.map(({ name }) => name!),
    leftOut,
  };
}

/** As people read it. */
export const shown = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

/** Which of the repository's own filters are for which paths. */
function filtersOf({ filters, git }: Repository, all: readonly Named[]): Map<string, string> {
  const found = new Map<string, string>();
  if (filters.length === 0) return found;
  const input = all.map(({ name }) => `${name}\0`).join('');
  const fields = git(['check-attr', '-z', '--stdin', 'filter'], { input }).split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (filters.includes(fields[at + 2]!)) found.set(fields[at]!, fields[at + 2]!);
  return found;
}

function unfit(repository: Repository, name: string, filter?: string): string | undefined {
  // Git ends the name of a folder that is a repository of its own so.
  if (name.endsWith('/')) return 'a repository of its own';
  const file = Buffer.concat([Buffer.from(repository.top + path.sep), Buffer.from(name, 'latin1')]);
  try {
    const stat = lstatSync(file);
    if (stat.isFile() && stat.size > BYTES_MAX) return 'over 5 MiB';
    if (stat.isFile()) accessSync(file, constants.R_OK);
  } catch (error) {
    const isGone = ['ENOENT', 'ENOTDIR'].includes(errno(error) ?? '');
    return isGone ? undefined : 'it cannot be read';
  }
  const isRequired = filter !== undefined && isFilterRequired(repository, filter);
  return isRequired ? 'a filter of the repository is required' : undefined;
}

/** Then a file's content without it is not what belongs into the repository. */
function isFilterRequired({ tryGit }: Repository, name: string): boolean {
  const all = tryGit(['config', '--type=bool', '--get-all', `filter.${name}.required`]);
  // What stands on the command line comes last.
  return all?.split('\n').at(-3) === 'true';
}
