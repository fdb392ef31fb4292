import type { SnapshotCreated } from '../../src/events/types.ts';
import type { Project } from '../../src/project/open.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { openTestProject } from '../support.ts';
import { SESSION } from './session.ts';

/** The project as another process has it, like a hook's beside the server. */
export const beside = (dir: string): Project => openTestProject(dir);

export const takeMany = (project: Project, count: number): SnapshotCreated[] =>
  Array.from({ length: count }, () =>
    takeSnapshot(project, { session: SESSION, trigger: 'threshold' }),
  );
