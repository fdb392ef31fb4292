import type { CheckpointRecord, HandoffsState } from '../projections/folds/handoffs.ts';

/** Older ones that were begun and never ended are left alone. */
const UNFINISHED_MS = 24 * 3_600_000;

/** What killed processes had begun. */
export const unfinishedOf = ({ checkpoints }: HandoffsState, now: number): CheckpointRecord[] =>
  Object.values(checkpoints).filter(
    ({ handoff, at }) => handoff === null && at > now - UNFINISHED_MS,
  );
