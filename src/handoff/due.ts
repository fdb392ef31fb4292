import type { MonitorView } from '../monitor/view.ts';
import type { CheckpointRecord, HandoffsState } from '../projections/folds/handoffs.ts';

/** Older ones that were begun and never ended are left alone. */
const UNFINISHED_MS = 24 * 3_600_000;

/** Whether the session's checkpoint is due: at L3 even if the model was not told, and once more if it was taken and the work went on. */
export const isDue = (view: MonitorView | undefined): boolean =>
  view !== undefined &&
  (view.checkpoint.state === 'due' || (view.level === 'L3' && view.checkpoint.state !== 'ready'));

/** What killed processes had begun. */
export const unfinishedOf = ({ checkpoints }: HandoffsState, now: number): CheckpointRecord[] =>
  Object.values(checkpoints).filter(
    ({ handoff, at }) => handoff === null && at > now - UNFINISHED_MS,
  );
