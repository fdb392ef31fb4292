import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isOutside } from './inside.ts';

/** Where the work is done: the project, or a git worktree of it. */
export interface Place {
  /** Absolute. */
  dir: string;
  /** As events name it: relative to the project, `.` for its own folder, absolute outside of it. */
  worktree: string;
}

/**
 * The git worktree that a folder belongs to, else the project. Reads two names a folder and starts no program:
 * hooks call it.
 * @param cwd absolute; undefined if unknown
 */
export function placeOf(projectDir: string, cwd?: string): Place {
  const own = { dir: projectDir, worktree: '.' };
  if (cwd === undefined || !path.isAbsolute(cwd)) return own;
  // Compared as folders: on Windows one folder has many spellings.
  for (
    let dir = path.resolve(cwd);
    path.relative(projectDir, dir) !== '';
    dir = path.dirname(dir)
  ) {
    if (dir === path.dirname(dir)) return own;
    if (isLinkedWorktree(dir)) return { dir, worktree: nameOf(projectDir, dir) };
  }
  return own;
}

const nameOf = (projectDir: string, dir: string): string =>
  isOutside(projectDir, dir) ? dir : path.relative(projectDir, dir).split(path.sep).join('/');

/** In a worktree `.git` is a file; in a submodule, too, but that is part of its repository. */
export function isLinkedWorktree(dir: string): boolean {
  const file = path.join(dir, '.git');
  try {
    // Few folders have one, and an exception costs more than a look.
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > 4096) return false;
    return /^gitdir: .*[/\\]worktrees[/\\][^/\\\s]+\s*$/.test(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}
