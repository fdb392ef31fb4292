import type { MonitorView } from '../monitor/view.ts';
import type { CheckpointRecord, HandoffsState } from '../projections/folds/handoffs.ts';

/** Older ones that were begun and never ended are left alone. */
const UNFINISHED_MS = 24 * 3_600_000;

/** Whether the session's checkpoint is due; whoever goes on working at L3 gets one more. */
export const isDue = (view: MonitorView | undefined): boolean =>
  view !== undefined &&
  (view.checkpoint.state === 'due' || (view.checkpoint.state === 'taken' && view.level === 'L3'));

/** What killed processes had begun. */
export const unfinishedOf = ({ checkpoints }: HandoffsState, now: number): CheckpointRecord[] =>
  Object.values(checkpoints).filter(
    ({ handoff, at }) => handoff === null && at > now - UNFINISHED_MS,
  );
