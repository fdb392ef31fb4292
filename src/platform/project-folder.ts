import { existsSync, statSync } from 'node:fs';
import { dirname, join, parse, relative, resolve } from 'node:path';
import { configPair } from './config/files.ts';
import { unlessRefused } from './errors.ts';
import { readFile } from './files.ts';
import { nodeFs } from './fs.ts';
import { BEN10_DIR } from './storage-location.ts';

/** Without loading `node:os` for a tool call. */
export const homeFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  (process.platform === 'win32' ? env.USERPROFILE : env.HOME) ?? '';

/** On Windows the client runs hooks in Git Bash, and may write `/c/Users` for `C:\\Users`. */
export const nativeFolder = (dir: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? dir.replace(/^\/(\w)\//, '$1:/') : dir;

/** `ben10 init` writes a configuration; a hook in the wrong folder does not. */
function isSetUp(dir: string): boolean {
  const { yaml, json } = configPair(join(dir, BEN10_DIR));
  return existsSync(yaml) || existsSync(json);
}

/** The root of the file system, and the home folder; also by a link. */
export const isAboveAll = (dir: string, home = homeFolder()): boolean =>
  isSameFolder(dir, parse(dir).root) || (home !== '' && isSameFolder(dir, home));

/** Without `realpath`, which reads every folder on the way. */
function isSameFolder(a: string, b: string): boolean {
  if (relative(a, b) === '') return true;
  const [one, other] = [a, b].map((dir) =>
    unlessRefused(() => statSync(dir, { bigint: true, throwIfNoEntry: false }), undefined),
  );
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** Whether nothing is recorded in a folder: everything below it would become one project, and nobody set it up. */
export const isNoProject = (dir: string, home = homeFolder()): boolean =>
  isAboveAll(resolve(dir), home) && !isSetUp(dir);

/** Not a worktree or a submodule, whose `.git` is a file: they belong to another repository. */
function isRepository(dir: string): boolean {
  try {
    return statSync(join(dir, '.git')).isDirectory();
  } catch {
    return false; // missing or unreadable
  }
}

/**
 * The nearest folder upwards that has a `.ben10`. Outside of the repository, in the root and in the home folder, only one with a
 * configuration counts. From a linked worktree that lies elsewhere, that of its repository.
 */
export const projectAbove = (from: string, home = homeFolder()): string | undefined =>
  nearest(from, home) ?? projectOfWorktree(from, home);

/** The project of a folder that the client calls one: a linked worktree has that of its repository, unless it has its own. */
export const projectOfClient = (dir: string): string =>
  existsSync(join(dir, BEN10_DIR)) ? dir : (projectOfWorktree(dir) ?? dir);

/**
 * Anybody can write a `.git` file into a folder, and only who owns a repository into that: both must name each other. And what is found
 * must have the owner of the folder.
 */
function projectOfWorktree(from: string, home = homeFolder()): string | undefined {
  try {
    let dir = resolve(from);
    while (!existsSync(join(dir, '.git')) && dir !== dirname(dir)) dir = dirname(dir);
    const file = join(dir, '.git');
    const [, gitDir, name] =
      /^gitdir: (.+[/\\]\.git)[/\\]worktrees[/\\]([^/\\\s]+)\s*$/.exec(smallText(file)) ?? [];
    if (gitDir === undefined || name === undefined) return undefined;
    const entry = join(resolve(dir, gitDir), 'worktrees', name);
    const back = dirname(resolve(entry, smallText(join(entry, 'gitdir')).trim()));
    const found = isSameFolder(back, dir)
      ? nearest(dirname(resolve(dir, gitDir)), home)
      : undefined;
    if (found === undefined) return undefined;
    const isOurs = isSetUp(found) || existsSync(join(found, BEN10_DIR, 'journal'));
    const isSameOwner = statSync(join(found, BEN10_DIR)).uid === statSync(file).uid;
    return isOurs && isSameOwner ? found : undefined;
  } catch {
    return undefined; // missing, unreadable, no path
  }
}

const GIT_FILE_BYTES_MAX = 4096;

const smallText = (file: string): string =>
  readFile(nodeFs, file, GIT_FILE_BYTES_MAX).toString('utf8');

function nearest(from: string, home: string): string | undefined {
  let isBeyond = false;
  for (let dir = from; ; dir = dirname(dir)) {
    const isStrange = isBeyond || (dir !== from && isAboveAll(dir, home));
    const isOurs = isStrange ? isSetUp(dir) : existsSync(join(dir, BEN10_DIR));
    if (isOurs) return dir;
    if (dir === dirname(dir)) return undefined;
    isBeyond ||= isRepository(dir);
  }
}
