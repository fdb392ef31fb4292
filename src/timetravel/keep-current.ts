import type { Project } from '../project/open.ts';
import { besideErasure } from './beside-erasure.ts';
import { type CurrentMeta, writeCurrent } from './current.ts';
import { contextNow } from './now.ts';
import { removeStored } from './stored-files.ts';

/**
 * Writes `current.ctx` and its `.meta` for a session as it is now.
 * @throws Ben10Error CONTEXT_NOT_FOUND when nothing was recorded yet, STATES_BEHIND, CONTEXT_LOCKED, and Node's error when it
 * cannot be written
 */
export const keepCurrent = (project: Project, session: string): CurrentMeta =>
  besideErasure(
    project,
    () => writeCurrent(project, contextNow(project, session)),
    () => removeCurrent(project),
  );

/** For good: a power cut must not bring back what may hold something of an erased event. */
export function removeCurrent(project: Project): void {
  for (const file of ['current.ctx', 'current.ctx.meta']) removeStored(project, file);
}
