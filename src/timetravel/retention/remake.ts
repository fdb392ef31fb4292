import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { storedStates } from '../stored-points.ts';
import { canRebuild, loadStored, standingOf } from '../stored-state.ts';

/**
 * Makes the saves and snapshots of before `upto` again whose state an erasure took: once the events are dropped, nobody can.
 * @throws JOURNAL_UNSAFE
 */
export function remakeStored(project: Project, upto: number): void {
  for (const ref of storedStates(project)) {
    if (ref.upto >= upto || !LOST.has(standingOf(project, ref)) || !canRebuild(project, ref))
      continue;
    try {
      loadStored(project, ref);
    } catch (error) {
      // One that cannot be had is no reason to keep old events for ever.
      if (!(error instanceof Ben10Error)) throw error;
    }
  }
}

const LOST = new Set(['missing', 'damaged']);
