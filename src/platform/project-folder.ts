import { existsSync, statSync } from 'node:fs';
import { dirname, join, parse, relative, resolve } from 'node:path';
import { configPair } from './config/files.ts';
import { unlessRefused } from './errors.ts';
import { BEN10_DIR } from './storage-location.ts';

/** Without loading `node:os` for a tool call. */
export const homeFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  (process.platform === 'win32' ? env.USERPROFILE : env.HOME) ?? '';

/** On Windows the client runs hooks in Git Bash, and may write `/c/Users` for `C:\\Users`. */
export const nativeFolder = (dir: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? dir.replace(/^\/(\w)\//, '$1:/') : dir;

/** `ben10 init` writes a configuration; a hook in the wrong folder does not. */
export function isSetUp(dir: string): boolean {
  const { yaml, json } = configPair(join(dir, BEN10_DIR));
  return existsSync(yaml) || existsSync(json);
}

/** The root of the file system, and the home folder; also by a link. */
export const isAboveAll = (dir: string, home = homeFolder()): boolean =>
  isSameFolder(dir, parse(dir).root) || (home !== '' && isSameFolder(dir, home));

/** Without `realpath`, which reads every folder on the way. */
export function isSameFolder(a: string, b: string): boolean {
  // Rounded numbers tell nearly all folders apart, and are there sooner.
  for (const bigint of [false, true]) {
    const [one, other] = [a, b].map((dir) =>
      unlessRefused(() => statSync(dir, { bigint, throwIfNoEntry: false }), undefined),
    );
    if (one === undefined || other === undefined) return relative(a, b) === '';
    if (one.ino !== other.ino || one.dev !== other.dev) return false;
  }
  return true;
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
 * configuration counts.
 */
export function nearestProject(from: string, home = homeFolder()): string | undefined {
  let isBeyond = false;
  for (let dir = from; ; dir = dirname(dir)) {
    const isStrange = isBeyond || (dir !== from && isAboveAll(dir, home));
    const isOurs = isStrange ? isSetUp(dir) : existsSync(join(dir, BEN10_DIR));
    if (isOurs) return dir;
    if (dir === dirname(dir)) return undefined;
    isBeyond ||= isRepository(dir);
  }
}
