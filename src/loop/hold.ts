import { LockFile } from '../journal/append/locking.ts';
import { sha256Text } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';

/** Longer than somebody holds it who only looks. */
const TAKE_MS = 500;

const lockOf = ({ ports, layout }: Project, worktree: string): LockFile =>
  new LockFile(ports, layout.loopLock(sha256Text(worktree).toString('hex').slice(0, 16)));

/** What the process of a loop holds while it lives: one in a worktree. @returns undefined if another process holds it */
export function holdWorktree(project: Project, worktree: string): LockFile | undefined {
  // Makes the folder.
  project.writer.syncIfDue();
  const lock = lockOf(project, worktree);
  if (lock.keep(TAKE_MS)) return lock;
  lock.close();
  return undefined;
}

/** Whether a loop's process lives. */
export function isHeld(project: Project, worktree: string): boolean {
  try {
    const lock = lockOf(project, worktree);
    try {
      return lock.hold(0, () => true) === undefined && !lock.isImpossible;
    } finally {
      lock.close();
    }
  } catch {
    return false; // there was none yet, or the disk is read-only
  }
}
