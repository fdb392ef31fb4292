import { headOf } from '../events/decode.ts';
import type { EventType } from '../events/types.ts';
import { FRAME_FLAG } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import { type Histogram, quantileOf, totalOf } from './histogram.ts';

/** Times from the start of a hook's process until its event was appended, milliseconds. */
export interface HookTimes {
  /** How many were measured. */
  calls: number;
  /** Null without calls. */
  medianMs: number | null;
  p95Ms: number | null;
}

/** Events whose time is the start of the hook's process. Not `tool.called`, which may be recorded with its result. */
export const HOOK_TYPES: readonly EventType[] = [
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
/** Node takes longer to start: a shorter time is a measuring error. */
export const HOOK_MS_MIN = 5;
/** The longest timeout that `ben10 init` sets. */
export const HOOK_MS_MAX = 10_000;

export const hookTimesIn = (times: Histogram): HookTimes => ({
  calls: totalOf(times),
  medianMs: quantileOf(times, 0.5),
  p95Ms: quantileOf(times, 0.95),
});

/**
 * The duration of a hook: from the event's time, which is the start of the process, to the entry's clock.
 * @param entry of a type in `HOOK_TYPES`
 * @returns undefined if it was no command hook, or its event was not appended at once
 */
export function hookMs(entry: Entry): number | undefined {
  const { hlc, flags } = entry;
  // With a count, the clock may be ahead of the wall time.
  if ((flags & FRAME_FLAG.fromInbox) !== 0 || hlc.count > 0) return undefined;
  const head = headOf(entry);
  if (head?.source !== 'hook' || head.at === null) return undefined;
  const ms = hlc.ms - head.at;
  return ms >= HOOK_MS_MIN && ms <= HOOK_MS_MAX ? ms : undefined;
}
