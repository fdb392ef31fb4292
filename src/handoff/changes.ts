import { accessSync, constants, lstatSync } from 'node:fs';
import path from 'node:path';
import { NotDone, type Repository } from './repository.ts';

/** A path that differs from HEAD, in the index or in the working tree. */
export interface Change {
  /** From the top, one character a byte. */
  path: string;
  /** As it is in the index, where the working tree has the same: `<mode> <object>`. */
  staged?: string;
  isGone: boolean;
}

export interface Changes {
  /** Undefined where there is no commit yet. */
  head: string | undefined;
  /** Undefined when detached. */
  branch: string | undefined;
  upstream: string | undefined;
  isStaged: boolean;
  taken: Change[];
  leftOut: LeftOut[];
}

export interface LeftOut {
  path: string;
  why: string;
}

/** Says why a path stays out of the commit; empty for what nobody need be told. */
export type Refuse = (file: string) => string | undefined;

const BYTES_MAX = 5 * 1024 * 1024;
const CHANGES_MAX = 10_000;
const IS_LINE =
  /^(?:1 (?<xy>..) \S+ \S+ (?<mi>\S+) (?<mw>\S+) \S+ (?<hi>\S+)|u .. \S+ \S+ \S+ \S+ (?<mu>\S+) \S+ \S+ \S+|\?) (?<path>.+)$/s;

/** All that `git status` names. @throws NotDone */
export function changesIn(repository: Repository, refuse: Refuse): Changes {
  const asked = ['--porcelain=v2', '-z', '--branch', '--untracked-files=all', '--no-renames'];
  const status = repository.git(['status', ...asked, '--ignore-submodules=dirty']);
  const lines = status.split('\0').slice(0, -1);
  const about = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length);
  const [oid, branch] = [about('oid'), about('head')];
  const changes: Changes = {
    head: oid === '(initial)' ? undefined : oid,
    branch: branch === '(detached)' ? undefined : branch,
    upstream: about('upstream'),
    isStaged: false,
    taken: [],
    leftOut: [],
  };
  if (lines.length > CHANGES_MAX) throw new NotDone(`over ${CHANGES_MAX} files changed`);
  for (const line of lines) {
    const groups = IS_LINE.exec(line)?.groups as Record<string, string | undefined> | undefined;
    if (groups === undefined) continue;
    const { path: name, xy, mi, hi, mw, mu } = groups;
    const change = { path: name!, isGone: (mw ?? mu) === '000000' };
    const isUntracked = xy === undefined && mu === undefined;
    // An entry without content, by `git add -N`, is the user's, too.
    if (!isUntracked && (xy?.[0] !== '.' || xy[1] === 'A')) changes.isStaged = true;
    const why = refuse(shown(name!)) ?? (change.isGone ? undefined : unfit(repository, name!));
    if (why !== undefined) changes.leftOut.push({ path: shown(name!), why });
    else changes.taken.push(xy?.[1] === '.' ? { ...change, staged: `${mi} ${hi}` } : change);
  }
  const left = new Set(changes.leftOut.map((one) => one.path));
  // One of two lines of a file: removed in the index, and there again.
  changes.taken = changes.taken.filter((one) => !left.has(shown(one.path)));
  return changes;
}

/** As people read it. */
export const shown = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

function unfit({ top }: Repository, name: string): string | undefined {
  // Git ends the name of a folder that is a repository of its own so.
  if (name.endsWith('/')) return 'a repository of its own';
  const file = Buffer.concat([Buffer.from(top + path.sep), Buffer.from(name, 'latin1')]);
  try {
    const stat = lstatSync(file);
    if (stat.isFile() && stat.size > BYTES_MAX) return 'over 5 MiB';
    if (stat.isFile()) accessSync(file, constants.R_OK);
    return undefined;
  } catch {
    return 'it cannot be read';
  }
}
