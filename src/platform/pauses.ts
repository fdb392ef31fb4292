import type { ConfigSources } from './config/files.ts';

/** When `context.autoSave` was off, milliseconds since the epoch; `until` is null while it still is. */
export type Pause = readonly [since: number, until: number | null];

const PAUSES_MAX = 200;

/** The valid pauses in `hook-config.json`. */
export function pausesIn(data: Record<string, unknown> | undefined): Pause[] {
  const all: unknown[] = Array.isArray(data?.pauses) ? data.pauses : [];
  return all.filter(
    (one): one is Pause =>
      Array.isArray(one) && Number.isFinite(one[0]) && (one[1] === null || Number.isFinite(one[1])),
  );
}

/** The pauses after the setting was read again. @param at see `changedAt` */
export function pausesNow(before: readonly Pause[], isOn: boolean, at: number): Pause[] {
  const last = before.at(-1);
  const isOpen = last !== undefined && last[1] === null;
  if (isOn !== isOpen) return [...before];
  if (!isOn) return [...before, [at, null] as const].slice(-PAUSES_MAX);
  return [...before.slice(0, -1), [last![0], Math.max(last![0], at)]];
}

/**
 * When the settings changed: the time of the newest file, because a prompt may be older than the hook that reads the files.
 * @param after the previous change: if no file is newer, one was deleted or moved here now
 */
export function changedAt(sources: ConfigSources, after: number, now: number): number {
  const times = Object.values(sources).map((stamp) => stamp?.mtimeMs ?? 0);
  const newest = Math.max(0, ...times);
  return newest > after && newest <= now ? newest : now;
}

export const isPaused = (pauses: readonly Pause[], at: number): boolean =>
  pauses.some(([since, until]) => at >= since && (until === null || at < until));
