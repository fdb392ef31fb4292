import type { StoredFiles } from '../journal/format/ports.ts';

/** Stored states, as what lies beside the journal. */
export const checkpointFiles: StoredFiles = { place: 'checkpoints', kind: 'rebuildable' };

/** Which stored states are kept of each projection and session, besides the keyframes. */
export interface CheckpointRetention {
  /** The newest so many. */
  count: number;
  /** Of those that roll also the younger ones, days. */
  days: number;
}

/** As the configuration has it. */
export const DEFAULT_RETENTION: CheckpointRetention = { count: 5, days: 7 };
/** Beyond the newest ones, young or not: two and a half thousand messages of one session within the days, by the default interval. */
export const YOUNG_MAX = 256;
/**
 * A keyframe is the newest state in each stretch of so many events, counted from the start of a segment: a random point is never
 * further from one. A session's own states are small, and are what most points ask for.
 */
export const KEYFRAME_EVENTS = { rolling: 500, other: 2000 };
const DAY_MS = 86_400_000;

/** What of a projection says which of its states are kept. */
export interface Kept {
  rolling?: boolean;
  /** False for what is only asked for as of now: then there are no keyframes. */
  keyframes?: boolean;
  /** In place of the retention's. */
  count?: number;
}

/** Names the stretch that an event is in. @param firstSeqs of the segments, rising */
export function stretchOf(seq: number, { rolling }: Kept, firstSeqs: readonly number[]): string {
  const first = firstSeqs.findLast((one) => one <= seq) ?? 0;
  const events = rolling === true ? KEYFRAME_EVENTS.rolling : KEYFRAME_EVENTS.other;
  return `${first} ${Math.floor((seq - first) / events)}`;
}

/**
 * Which stored states go.
 * @param listed the newest event of each, falling
 * @param storedAt milliseconds since the epoch
 */
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
