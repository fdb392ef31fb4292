import type { Project } from '../project/open.ts';
import { besideErasure } from './beside-erasure.ts';
import { type CurrentMeta, prepareCurrent } from './current.ts';
import { contextNow } from './now.ts';

/**
 * Writes `current.ctx` and its `.meta` for a session as it is now.
 * @throws Ben10Error CONTEXT_NOT_FOUND when nothing was recorded yet, STATES_BEHIND, CONTEXT_LOCKED, and Node's error when it
 * cannot be written
 */
export const keepCurrent = (project: Project, session: string): CurrentMeta =>
  besideErasure(project, () => prepareCurrent(project, contextNow(project, session)));
