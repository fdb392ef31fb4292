import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { configPair } from './config/files.ts';
import { BEN10_DIR } from './storage-location.ts';

/** What `os.homedir` looks at first: that module is not loaded for a tool call. */
export const homeFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  (process.platform === 'win32' ? env.USERPROFILE : env.HOME) ?? '';

/**
 * A folder as the system itself names it: on Windows the client runs hooks in Git Bash, and may say `/c/Users` of `C:\\Users`, which
 * every other program takes for a folder `c` of the current drive.
 */
export const nativeFolder = (dir: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? dir.replace(/^\/(\w)\//, '$1:/') : dir;

/** Somebody meant it: `ben10 init` leaves settings there, and a hook that went astray does not. */
function isSetUp(dir: string): boolean {
  const { yaml, json } = configPair(join(dir, BEN10_DIR));
  return existsSync(yaml) || existsSync(json);
}

/** The top of the file system, and the user's own folder: everything is below them. */
const isAboveAll = (dir: string, home: string): boolean =>
  dir === dirname(dir) || (home !== '' && relative(dir, home) === '');

/** Whether nothing is to be recorded in a folder, for it would make all that is below it one project: nobody set it up. */
export const isNoProject = (dir: string, home = homeFolder()): boolean =>
  isAboveAll(resolve(dir), home) && !isSetUp(dir);

/** Not that of a worktree or a submodule, whose `.git` is a file: they are part of another one. */
function isRepository(dir: string): boolean {
  try {
    return statSync(join(dir, '.git')).isDirectory();
  } catch {
    return false; // there is none, or nobody can say: a link to itself, a folder of others
  }
}

/**
 * The project that a folder belongs to: the nearest one upwards that has a `.ben10`. Beyond the top of the folder's own repository,
 * and where everything below would belong to it, only one that was set up counts.
 */
export function projectAbove(from: string, home = homeFolder()): string | undefined {
  let isBeyond = false;
  for (let dir = from; ; dir = dirname(dir)) {
    const isStrange = isBeyond || (dir !== from && isAboveAll(dir, home));
    const isOurs = isStrange ? isSetUp(dir) : existsSync(join(dir, BEN10_DIR));
    if (isOurs) return dir;
    if (dir === dirname(dir)) return undefined;
    isBeyond ||= isRepository(dir);
  }
}
