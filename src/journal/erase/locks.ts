import { LockFile } from '../append/locking.ts';
import { asWriteError } from '../append/write-errors.ts';
import { layoutOf } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';

/**
 * Runs work with the compaction lock and the append lock held.
 * @returns undefined if they could not be acquired in time
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED, and what `work` throws
 */
export function withLocks<T>(
  ports: JournalPorts,
  root: string,
  budgetMs: number,
  work: () => T,
): { value: T } | undefined {
  const layout = layoutOf(root);
  const locks: LockFile[] = [];
  try {
    for (const path of [layout.compactLock, layout.lock]) locks.push(new LockFile(ports, path));
    const [compaction, append] = locks as [LockFile, LockFile];
    return compaction.hold(budgetMs, () => append.hold(budgetMs, work))?.value;
  } catch (error) {
    throw asWriteError(error, layout.journal);
  } finally {
    for (const lock of locks) lock.close();
  }
}
