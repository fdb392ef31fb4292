import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readFile } from './files.ts';
import { nodeFs } from './fs.ts';
import { homeFolder, isSameFolder, isSetUp, nearestProject } from './project-folder.ts';
import { BEN10_DIR } from './storage-location.ts';

// Apart, for the hook of a tool call must stay small.

/** The nearest project upwards; from a linked worktree that lies elsewhere, that of its repository. */
export const projectAbove = (from: string, home = homeFolder()): string | undefined =>
  nearestProject(from, home) ?? projectOfWorktree(from, home);

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
      ? nearestProject(dirname(resolve(dir, gitDir)), home)
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
