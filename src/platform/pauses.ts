import type { ConfigSources } from './config/files.ts';

/** From when until when `context.autoSave` was off, milliseconds since the epoch; null while it is. */
export type Pause = readonly [since: number, until: number | null];

/** Nobody switches it so often while one transcript is open; the newest are kept. */
const PAUSES_MAX = 200;

/** Those that `hook-config.json` has; what is none is passed over. */
export function pausesIn(data: Record<string, unknown> | undefined): Pause[] {
  const all: unknown[] = Array.isArray(data?.pauses) ? data.pauses : [];
  return all.filter(
    (one): one is Pause =>
      Array.isArray(one) && Number.isFinite(one[0]) && (one[1] === null || Number.isFinite(one[1])),
  );
}

/** The pauses once the settings were read: one begins, ends, or all is as before. @param at see `changedAt` */
export function pausesNow(before: readonly Pause[], isOn: boolean, at: number): Pause[] {
  const last = before.at(-1);
  const isOpen = last !== undefined && last[1] === null;
  if (isOn !== isOpen) return [...before];
  if (!isOn) return [...before, [at, null] as const].slice(-PAUSES_MAX);
  return [...before.slice(0, -1), [last![0], Math.max(last![0], at)]];
}

/**
 * When the files were written that were just read: a client may have stamped a prompt before the hook that reads them for it.
 * @param after of the change before it: what was last written earlier than that was deleted, or moved here, now
 */
export function changedAt(sources: ConfigSources, after: number, now: number): number {
  const times = Object.values(sources).map((stamp) => stamp?.mtimeMs ?? 0);
  const newest = Math.max(0, ...times);
  return newest > after && newest <= now ? newest : now;
}

/** Whether something was said while nothing was to be recorded. */
export const isPaused = (pauses: readonly Pause[], at: number): boolean =>
  pauses.some(([since, until]) => at >= since && (until === null || at < until));
