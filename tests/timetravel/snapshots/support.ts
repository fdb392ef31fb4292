import type { SnapshotCreated } from '../../../src/events/types.ts';
import type { Project } from '../../../src/project/open.ts';
import { findSnapshot, storedRef } from '../../../src/timetravel/snapshots/indexed.ts';
import { takeSnapshot } from '../../../src/timetravel/snapshots/take.ts';
import { type Loaded, loadStored } from '../../../src/timetravel/stored-state.ts';
import { imported, testProject, transcript } from '../project.ts';

export const SESSION = 'd3165355-f445-4093-ae34-d89d2f2d29db';

/** A project with one recorded session, and what `options` of it differ. */
export const todo = (options: Parameters<typeof testProject>[0] = {}): Project =>
  imported(testProject(options), transcript('claude-2.1.329-real-todo-app/transcript.jsonl'));

/** As many snapshots of its session, the oldest first, each after one more event. */
export const taken = (project: Project, count = 1): SnapshotCreated[] =>
  Array.from({ length: count }, () =>
    takeSnapshot(project, { session: SESSION, trigger: 'threshold' }),
  );

/** The same project, whose clock is so many days ahead. */
export function daysLater(project: Project, days: number): Project {
  const clock = { now: () => Date.now() + days * 24 * 3600 * 1000 };
  const ports = { ...project.ports, clock };
  return Object.create(project, { ports: { value: ports } }) as Project;
}

/** The whole state of a snapshot. */
export const loadSnapshot = (project: Project, id: string): Loaded =>
  loadStored(project, storedRef(findSnapshot(project, id)));
