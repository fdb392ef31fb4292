import type { EventType } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import type { Cut } from '../projections/gather.ts';
import { END, type Place, type Placed } from '../projections/order.ts';

/**
 * What happened in a session, as far as a client told it: the events that a history is made of. What ben10 did
 * itself, and the bookkeeping of witnesses, is not part of it.
 */
export const HISTORY_TYPES: readonly EventType[] = [
  'session.started',
  'session.ended',
  'prompt.submitted',
  'message.recorded',
  'tool.called',
  'tool.succeeded',
  'tool.failed',
  'subagent.started',
  'subagent.stopped',
  'compaction.started',
  'compaction.finished',
  'turn.ended',
  'usage.sampled',
  'hook.received',
];

/** A session's facts in history order. */
export const historyOf = (project: Project, session: string, cut: Cut = {}): Placed[] =>
  project.states.facts(session, HISTORY_TYPES, cut);

/** The place behind everything that happened up to a time, in all sessions. */
export const after = (time: number): Place =>
  Number.isFinite(time) ? { time: time + 1, rank: 0, thread: '', position: -1 } : END;
