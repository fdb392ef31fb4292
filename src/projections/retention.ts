import type { StoredFiles } from '../journal/format/ports.ts';

export const checkpointFiles: StoredFiles = { place: 'checkpoints', kind: 'rebuildable' };

/** Which stored states of each projection and session are kept, besides keyframes. */
export interface CheckpointRetention {
  count: number;
  /** Rolling ones also for this many days. */
  days: number;
}

/** The configuration's default. */
export const DEFAULT_RETENTION: CheckpointRetention = { count: 5, days: 7 };
/** Limit for these younger ones. */
export const YOUNG_MAX = 256;
/** A keyframe is the newest state of each stretch of events, counted from a segment's start: no point is further from a state. */
export const KEYFRAME_EVENTS = { rolling: 500, other: 2000 };
const DAY_MS = 86_400_000;

export interface Kept {
  rolling?: boolean;
  /** False when only the newest state is ever needed. */
  keyframes?: boolean;
  /** Instead of the retention's count. */
  count?: number;
}

/** The stretch of an event. @param firstSeqs of the segments, rising */
export function stretchOf(seq: number, { rolling }: Kept, firstSeqs: readonly number[]): string {
  const first = firstSeqs.findLast((one) => one <= seq) ?? 0;
  const events = rolling === true ? KEYFRAME_EVENTS.rolling : KEYFRAME_EVENTS.other;
  return `${first} ${Math.floor((seq - first) / events)}`;
}

/** Stored states to remove. @param listed the newest event of each, falling; @param where `storedAt` in milliseconds */
export function pruned(
  listed: readonly number[],
  kind: Kept,
  { count: usual, days }: CheckpointRetention,
  where: { firstSeqs: readonly number[]; now: number; storedAt(seq: number): number },
): number[] {
  const { count = usual } = kind;
  const having = new Set<string>();
  return listed.filter((seq, index) => {
    const stretch = stretchOf(seq, kind, where.firstSeqs);
    const isKeyframe = kind.keyframes !== false && !having.has(stretch);
    having.add(stretch);
    if (index < count || isKeyframe) return false;
    const mayRoll = kind.rolling === true && index < count + YOUNG_MAX;
    return !mayRoll || where.storedAt(seq) <= where.now - days * DAY_MS;
  });
}
