import type { Projection } from './contract.ts';
import { context } from './folds/context.ts';
import { cursors } from './folds/cursors.ts';
import { evidence } from './folds/evidence.ts';
import { injected } from './folds/injected.ts';
import { recallUse } from './folds/recall-use.ts';
import { recentSessions, sessions } from './folds/sessions.ts';
import { workspace } from './folds/workspace.ts';

export type Based = Readonly<Record<'project' | 'session', readonly Projection[]>>;

/**
 * The projections whose states are kept when old events are dropped: all that are asked for by themselves, but for those
 * whose events are never dropped. One of these that was released and is raised to a new version needs an `upcast`.
 */
export const BASED: Based = {
  project: [sessions, recentSessions, injected, workspace] as unknown as Projection[],
  session: [context, cursors, evidence, recallUse] as unknown as Projection[],
};

/**
 * What tells of saves, snapshots and the journal itself stays however old it is, and so does what the user took back: an older
 * session, imported, must not bring that up again.
 */
const KEPT = new Set([
  'preference.retracted',
  'context.saved',
  'snapshot.created',
  'snapshot.completed',
  'snapshot.annotated',
  'snapshot.removed',
  'erasure.requested',
  'erasure.done',
  'journal.repaired',
  'journal.copied',
]);

export const isKept = (type: string): boolean => KEPT.has(type);
