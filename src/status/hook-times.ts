import { headOf } from '../events/decode.ts';
import type { EventType } from '../events/types.ts';
import { FRAME_FLAG } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import { type Histogram, quantileOf, totalOf } from './histogram.ts';

/** How long hooks took, from the start of their process until what they tell was appended, milliseconds. */
export interface HookTimes {
  /** Those that were measured. */
  calls: number;
  /** Null where none was. */
  medianMs: number | null;
  p95Ms: number | null;
}

/**
 * What a command hook appends first, and says to have happened when its process was started. Not `tool.called`: where its own hook was lost it
 * comes with its outcome, and is as much older as the tool took.
 */
export const TOLD_BY_HOOKS: readonly EventType[] = [
  'session.started',
  'session.ended',
  'prompt.submitted',
  'tool.succeeded',
  'tool.failed',
  'subagent.started',
  'subagent.stopped',
  'compaction.started',
  'compaction.finished',
  'turn.ended',
  'hook.received',
];
/** Node does not come to its first line in less: who says so looked at the clock later than at its start. */
export const HOOK_MS_MIN = 5;
/** A client waits no longer, by the settings that `ben10 init` writes. */
export const HOOK_MS_MAX = 10_000;

export const hookTimesIn = (times: Histogram): HookTimes => ({
  calls: totalOf(times),
  medianMs: quantileOf(times, 0.5),
  p95Ms: quantileOf(times, 0.95),
});

/**
 * How long a hook took, by its event, milliseconds: a command hook says of what it tells that it happened when its process was
 * started, and the clock of the entry says when it was appended. What the hook does after that is not in it.
 * @param entry of a type of `TOLD_BY_HOOKS`
 * @returns undefined where the two times tell nothing of a hook: it was no command, or did not take its place at once
 */
export function hookMs(entry: Entry): number | undefined {
  const { hlc, flags } = entry;
  // Where the clock's count has risen the wall may have been behind it: it was set back, or two came in one millisecond.
  if ((flags & FRAME_FLAG.fromInbox) !== 0 || hlc.count > 0) return undefined;
  const head = headOf(entry);
  if (head?.source !== 'hook' || head.at === null) return undefined;
  const ms = hlc.ms - head.at;
  return ms >= HOOK_MS_MIN && ms <= HOOK_MS_MAX ? ms : undefined;
}
