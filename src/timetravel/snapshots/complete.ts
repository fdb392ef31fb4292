import type { SnapshotCompleted } from '../../events/types.ts';
import type { Project } from '../../project/open.ts';
import { append } from '../append.ts';
import { leftBehind, SUMMARY_ALONE } from './left.ts';
import { recentSnapshots } from './recent.ts';

/**
 * Notes that the compaction is over which a session's newest snapshot was taken for, and what it left of the context. Called
 * again when more can be known, it adds that; else it does nothing.
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function completeSnapshot(project: Project, session: string): SnapshotCompleted | undefined {
  const newest = recentSnapshots(project).findLast(
    (one) => one.session === session && one.trigger !== 'memory_pressure',
  );
  if (newest === undefined || newest.after?.tokens !== undefined) return undefined;
  const after = leftBehind(project, newest)?.after ?? SUMMARY_ALONE;
  if (newest.after !== null && after.tokens === undefined) return undefined;
  const data: SnapshotCompleted = { snapshot: newest.id, after };
  append(project, 'snapshot.completed', session, data, 'hook');
  return data;
}
