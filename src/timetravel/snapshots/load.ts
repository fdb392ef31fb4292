import type { Project } from '../../project/open.ts';
import { type Loaded, loadStored } from '../stored-state.ts';
import { findSnapshot, storedRef } from './indexed.ts';

/**
 * The whole state that a snapshot holds.
 * @param id of the snapshot, or its unique start
 * @throws Ben10Error SNAPSHOT_NOT_FOUND, SNAPSHOT_CORRUPTED, and what `loadStored` throws
 */
export const loadSnapshot = (project: Project, id: string): Loaded =>
  loadStored(project, storedRef(findSnapshot(project, id)));
