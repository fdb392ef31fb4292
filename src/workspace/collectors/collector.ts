import type { WorkspaceSettings } from '../../platform/config/keys.ts';
import type { Run } from '../../platform/programs/run.ts';
import type { ContextState } from '../../projections/folds/context.ts';
import type { WorktreeState } from '../../projections/folds/workspace.ts';
import type { Clean } from '../clean.ts';

/** What of the journal is about the worktree. */
export interface Recorded {
  worktree: WorktreeState | undefined;
  /** Of the sessions in it that were active last, the newest first: each is folded when it is come to. */
  contexts: Iterable<ContextState>;
}

/** What a collector may use. */
export interface Around {
  /** The worktree's folder, absolute. */
  dir: string;
  settings: WorkspaceSettings;
  run: Run;
  /** Everything that is told goes through here: it comes from outside. */
  clean: Clean;
  /** What the journal knows; folded when it is first asked for. */
  recorded(): Recorded;
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Found by the last look, and its program does not answer now: it is recorded as it was, so that it is not taken for gone, and
 * that nobody sees it, so that it is not taken for being there.
 */
export interface Unseen {
  unseen?: true;
}

/**
 * Looks at one thing around the project. It may throw, hang and be missing its program: it is then an empty section.
 * To add one: a file here that exports it, a row in `index.ts`, and where it is shown in `../layouts/`.
 */
export interface Collector<T> {
  /** How long it may take, milliseconds; all of them run at the same time. */
  timeoutMs: number;
  /**
   * Everything that it found, also what has no room; empty when there is nothing. Undefined when that is not known: its program
   * is missing or fails, and nothing was known that would be unseen now, or it has no time left.
   */
  collect(around: Around): Promise<T[] | undefined> | T[] | undefined;
}

/** A second for programs that are slow to start; what answers later is told the next time. */
export const COLLECTOR_MS = 1000;
/** For a collector that asks several, and tells what those said that did answer. */
export const ENDED_MS = COLLECTOR_MS + 200;

/** The collector's answer, or undefined at the latest when its time is over; its programs have then been ended. */
export async function within<T>(
  collector: Collector<T>,
  around: (signal: AbortSignal) => Around,
): Promise<T[] | undefined> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), collector.timeoutMs);
  });
  try {
    const work = Promise.resolve(collector.collect(around(abort.signal)));
    // What fails after its time is over must not be noticed by anybody.
    work.catch(() => undefined);
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
