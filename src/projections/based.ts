import type { Projection } from './contract.ts';
import { context } from './folds/context.ts';
import { contextUse } from './folds/context-use.ts';
import { cursors } from './folds/cursors.ts';
import { deliveries } from './folds/deliveries.ts';
import { evidence } from './folds/evidence.ts';
import { forecastHistory } from './folds/forecast-history.ts';
import { injected } from './folds/injected.ts';
import { recallUse } from './folds/recall-use.ts';
import { recentSessions, sessions } from './folds/sessions.ts';
import { taskSizes } from './folds/task-sizes.ts';
import { workspace } from './folds/workspace.ts';

export type Based = Readonly<Record<'project' | 'session', readonly Projection[]>>;

/** The projections whose states replace events that retention removes: all but those whose events are kept. */
export const BASED: Based = {
  project: [
    sessions,
    recentSessions,
    injected,
    workspace,
    forecastHistory,
    deliveries,
  ] as unknown as Projection[],
  session: [
    context,
    cursors,
    evidence,
    recallUse,
    contextUse,
    taskSizes,
  ] as unknown as Projection[],
};

/** Never removed: saves, snapshots, packs, checkpoints of the work, loops, plans, the journal's own events, and retractions, which an import of an old session must not undo. */
const KEPT = new Set([
  'preference.retracted',
  'context.saved',
  'save.deleted',
  'snapshot.created',
  'snapshot.completed',
  'snapshot.annotated',
  'snapshot.removed',
  'pack.created',
  'pack.changed',
  'pack.deleted',
  'pack.artifact-added',
  'pack.artifact-changed',
  'pack.artifact-removed',
  'pack.captured',
  'pack.snapshotted',
  'pack.snapshot-removed',
  'checkpoint.begun',
  'wip.committed',
  'wip.undone',
  'handoff.created',
  'handoff.resumed',
  'shards.planned',
  'loop.started',
  'loop.resumed',
  'loop.iteration-started',
  'loop.child-started',
  'loop.iteration-finished',
  'loop.stopped',
  'erasure.requested',
  'erasure.done',
  'journal.repaired',
  'journal.copied',
]);

export const isKept = (type: string): boolean => KEPT.has(type);
