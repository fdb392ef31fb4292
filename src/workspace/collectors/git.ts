import { lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Repository } from '../context.ts';
import { type Around, COLLECTOR_MS, type Collector } from './collector.ts';
import { readInside } from './read.ts';

const REPOSITORIES_MAX = 20;
/** Below a folder that is no repository: as deep as `group/project`. */
const DEPTH_MAX = 3;
const FOLDERS_MAX = 3000;
/** Repositories that are asked at the same time. */
const AT_ONCE = 4;
const NAME_CHARS = 80;
const COMMIT_CHARS = 100;
/** Folders that hold other people's work. */
const PASSED_BY = /^(?:\.|node_modules$|vendor$|target$|dist$|build$|out$)/;
/** A repository's own settings must not start programs of its own. */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

interface Found {
  dir: string;
  kind: Repository['kind'];
}

/** The repository that the folder is in, with its submodules and other worktrees; else every repository below it. */
export const git: Collector<Repository> = {
  timeoutMs: COLLECTOR_MS + 200,
  async collect(around) {
    if (!around.settings.git.enabled) return [];
    const root = repositoryAbove(around.dir);
    const found =
      root === undefined
        ? below(around.dir).map((dir): Found => ({ dir, kind: 'repository' }))
        : [
            { dir: root, kind: 'repository' as const },
            ...submodules(root),
            ...(await worktrees(around, root)),
          ];
    if (found.length === 0) return [];
    return asked(around, found.slice(0, REPOSITORIES_MAX));
  },
};

/** @returns undefined when git is missing, or fails everywhere */
async function asked(around: Around, found: readonly Found[]): Promise<Repository[] | undefined> {
  const answers: (Repository | undefined)[] = [];
  for (let at = 0; at < found.length; at += AT_ONCE) {
    const some = found.slice(at, at + AT_ONCE).map((one) => look(around, one));
    answers.push(...(await Promise.all(some)));
  }
  const known = answers.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : known;
}

async function look(around: Around, { dir, kind }: Found): Promise<Repository | undefined> {
  const { run, clean } = around;
  const status = [...SAFE, 'status', '--porcelain=v2', '--branch', '--ignore-submodules=none'];
  const log = [...SAFE, 'log', '-1', '--no-show-signature', '--format=%h %s (%cr)'];
  const [text, commit] = await Promise.all([run('git', status, dir), run('git', log, dir)]);
  if (text === undefined) return undefined;
  const relative = path.relative(around.dir, dir).split(path.sep).join('/');
  const name = relative === '' || relative.startsWith('..') ? path.basename(dir) : relative;
  const read = parseStatus(text);
  return {
    ...read,
    name: clean(name, NAME_CHARS),
    branch: clean(read.branch, NAME_CHARS),
    kind,
    commit: clean(commit ?? '', COMMIT_CHARS),
  };
}

/** Of `git status --porcelain=v2 --branch`. */
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

/** One letter a file: what was done to it in the working tree, or else in the index. */
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
        if (left < 0 || found.length >= REPOSITORIES_MAX) return found;
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

/** Those that are checked out. */
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

/** The others of the same repository: what is done there is on another branch. */
async function worktrees({ run }: Around, root: string): Promise<Found[]> {
  const text = await run('git', [...SAFE, 'worktree', 'list', '--porcelain'], root);
  return (text ?? '').split('\n\n').flatMap((block): Found[] => {
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
