import { lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isLinkedWorktree } from '../../platform/place.ts';
import { safeGit, statusOf } from '../../platform/programs/git.ts';
import type { Repository, Unseen } from '../context.ts';
import { headOfRepository } from '../head.ts';
import { nameOf } from '../layouts/words.ts';
import {
  type Around,
  type Collector,
  ENDED_MS,
  inTime,
  lastLook,
  withUnseen,
} from './collector.ts';
import { readInside } from './read.ts';

/** Repositories that git is asked about; of others only the branch is shown. */
const ASKED_MAX = 20;
/** Search depth below a folder that is no repository: `group/project`. */
const DEPTH_MAX = 3;
const FOLDERS_MAX = 3000;
/** Repositories that are asked at the same time. */
const AT_ONCE = 4;
const NAME_CHARS = 80;
const COMMIT_CHARS = 100;
/** Folders with other people's code. */
const PASSED_BY = /^(?:\.|node_modules$|vendor$|target$|dist$|build$|out$)/;

interface Found {
  dir: string;
  kind: Repository['kind'];
}

/** The folder's repository with its submodules and other worktrees; else all below the folder. */
export const git: Collector<Repository & Unseen> = {
  timeoutMs: ENDED_MS,
  async collect(given) {
    if (!given.settings.git.enabled) return [];
    const around = inTime(given);
    const root = repositoryAbove(around.dir);
    const others = root === undefined ? [] : await worktrees(around, root);
    const found: Found[] =
      root === undefined
        ? below(around.dir).flatMap((dir) => [
            { dir, kind: isLinkedWorktree(dir) ? ('worktree' as const) : ('repository' as const) },
            ...submodules(dir),
          ])
        : [{ dir: root, kind: 'repository' as const }, ...submodules(root), ...(others ?? [])];
    if (found.length === 0) return [];
    const told = await asked(around, found);
    return withUnseen(told, unseen(around, found, told, others !== undefined));
  },
};

/** Repositories of the last look that exist and were not reported, and worktrees if git does not list them. */
function unseen(
  around: Around,
  found: readonly Found[],
  told: readonly Repository[],
  areListed: boolean,
): Repository[] {
  const toldOf = new Set(told.map(nameOf));
  const names = new Set(told.map(({ name }) => name));
  const there = new Set(found.map(({ dir, kind }) => nameOf({ name: nameIn(around, dir), kind })));
  return lastLook(around).repositories.filter((one) => {
    const isThere =
      there.has(nameOf(one)) ||
      (!areListed && one.kind === 'worktree') ||
      // Deeper than the search, or inside of a repository since.
      (!names.has(one.name) && isRepository(path.join(around.dir, one.name)));
    return isThere && !toldOf.has(nameOf(one));
  });
}

/** Git's answer for each, or the branch from its files; nothing if git never answers. */
async function asked(around: Around, found: readonly Found[]): Promise<Repository[]> {
  const answers: (Answer | undefined)[] = [];
  for (let at = 0; at < ASKED_MAX && at < found.length; at += AT_ONCE) {
    const some = found.slice(at, at + AT_ONCE).map(({ dir }) => look(around, dir));
    answers.push(...(await Promise.all(some)));
  }
  if (answers.every((one) => one === undefined)) return [];
  const { clean } = around;
  return found.flatMap(({ dir, kind }, index): Repository[] => {
    const { status, commit = '' } = answers[index] ?? {};
    const branch = status?.branch ?? branchIn(dir);
    if (branch === undefined) return [];
    const known = status ?? { ahead: null, behind: null, changes: null };
    const texts = { branch: clean(branch, NAME_CHARS), commit: clean(commit, COMMIT_CHARS) };
    return [{ ...known, ...texts, name: nameIn(around, dir), kind }];
  });
}

/** From its own files. */
function branchIn(dir: string): string | undefined {
  const head = headOfRepository(dir);
  return head?.dir === dir ? head.branch : undefined;
}

interface Answer {
  status: ReturnType<typeof parseStatus> | undefined;
  commit: string | undefined;
}

async function look({ run }: Around, dir: string): Promise<Answer | undefined> {
  const log = safeGit('log', '-1', '--no-show-signature', '--format=%h %s (%cr)');
  const [text, commit] = await Promise.all([
    statusOf(run, dir, '--porcelain=v2', '--branch'),
    run('git', log, dir),
  ]);
  if (text === undefined && commit === undefined) return undefined;
  return { status: text === undefined ? undefined : parseStatus(text), commit };
}

function nameIn({ dir: from, clean }: Around, dir: string): string {
  const relative = path.relative(from, dir).split(path.sep).join('/');
  const name = relative === '' || relative.startsWith('..') ? path.basename(dir) : relative;
  return clean(name, NAME_CHARS);
}

/** Reads `git status --porcelain=v2 --branch`. */
export function parseStatus(
  text: string,
): Pick<Repository, 'branch' | 'ahead' | 'behind' | 'changes'> {
  const head = (name: string): string =>
    new RegExp(`^# branch\\.${name} (.*)$`, 'm').exec(text)?.[1] ?? '';
  const [, ahead = '0', behind = '0'] = /^\+(\d+) -(\d+)$/.exec(head('ab')) ?? [];
  const counts: Record<string, number> = { U: 0, M: 0, A: 0, D: 0, R: 0, '?': 0 };
  for (const line of text.split('\n')) {
    const kind = kindOf(line);
    if (kind !== undefined) counts[kind] = counts[kind]! + 1;
  }
  const changes = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `${n}${kind}`);
  const name = head('head');
  return {
    branch: name === '(detached)' ? `detached at ${head('oid').slice(0, 9)}` : name,
    ahead: Number(ahead),
    behind: Number(behind),
    changes: changes.join(' '),
  };
}

/** One letter a file: its state in the working tree, else in the index. */
function kindOf(line: string): string | undefined {
  if (line.startsWith('? ')) return '?';
  if (line.startsWith('u ')) return 'U';
  if (line.startsWith('2 ')) return 'R';
  const [, index, tree] = /^1 (.)(.) /.exec(line) ?? [];
  if (index === undefined || tree === undefined) return undefined;
  const letter = tree === '.' ? index : tree;
  return letter === 'T' ? 'M' : 'MAD'.includes(letter) ? letter : undefined;
}

function repositoryAbove(from: string): string | undefined {
  for (let dir = from; ; dir = path.dirname(dir)) {
    if (isRepository(dir)) return dir;
    if (dir === path.dirname(dir)) return undefined;
  }
}

function isRepository(dir: string): boolean {
  return statSync(path.join(dir, '.git'), { throwIfNoEntry: false }) !== undefined;
}

/** Links are not followed: they may lead in a circle, or out. */
function below(root: string): string[] {
  const found: string[] = [];
  let left = FOLDERS_MAX;
  let folders = [root];
  for (let depth = 0; depth < DEPTH_MAX && folders.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of folders) {
      for (const name of foldersIn(folder)) {
        left -= 1;
        if (left < 0) return found;
        const dir = path.join(folder, name);
        if (isRepository(dir)) found.push(dir);
        else next.push(dir);
      }
    }
    folders = next;
  }
  return found;
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !PASSED_BY.test(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}

/** Submodules that are checked out. */
function submodules(root: string): Found[] {
  const text = readInside(root, '.gitmodules') ?? '';
  return [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].flatMap(([, name]): Found[] => {
    const dir = path.resolve(root, name!);
    const isInside = dir.startsWith(root + path.sep) && isFile(path.join(dir, '.git'));
    return isInside ? [{ dir, kind: 'submodule' }] : [];
  });
}

const isFile = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;

/** Other worktrees of the repository, with other branches. Undefined if git does not list them. */
async function worktrees({ run }: Around, root: string): Promise<Found[] | undefined> {
  const text = await run('git', safeGit('worktree', 'list', '--porcelain'), root);
  return text?.split('\n\n').flatMap((block): Found[] => {
    const dir = /^worktree (.+)$/m.exec(block)?.[1];
    if (
      dir === undefined ||
      /^(?:bare|prunable)/m.test(block) ||
      path.resolve(dir) === path.resolve(root)
    )
      return [];
    return [{ dir, kind: 'worktree' }];
  });
}
