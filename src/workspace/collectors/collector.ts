import type { WorkspaceSettings } from '../../platform/config/keys.ts';
import { type Run, until } from '../../platform/programs/run.ts';
import type { ContextState } from '../../projections/folds/context.ts';
import type { WorktreeState } from '../../projections/folds/workspace.ts';
import type { Clean } from '../clean.ts';
import type { Unseen } from '../context.ts';
import { partsOf } from '../things.ts';

/** What the journal knows of the worktree. */
export interface Recorded {
  worktree: WorktreeState | undefined;
  /** The last active sessions in it, newest first; each is folded on demand. */
  contexts: Iterable<ContextState>;
}

/** What a collector may use. */
export interface Around {
  /** The worktree's folder, absolute. */
  dir: string;
  settings: WorkspaceSettings;
  run: Run;
  /** All text goes through here: it comes from outside. */
  clean: Clean;
  /** What the journal knows; folded on first use. */
  recorded(): Recorded;
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Examines one thing around the project. It may throw, hang or lack its program: then its section is empty. To add
 * one: a file here, a row in `index.ts`, and its place in `../layouts/`.
 */
export interface Collector<T> {
  /** Its time limit, milliseconds; all of them run at the same time. */
  timeoutMs: number;
  /**
   * Everything that it found, also what has no room. Undefined if unknown: its program is missing, fails or is
   * late, and the last look found nothing that would be unseen now.
   */
  collect(around: Around): Promise<T[] | undefined> | T[] | undefined;
}

/** What the last look recorded, as parts of a context. */
export const lastLook = ({ recorded }: Pick<Around, 'recorded'>) =>
  partsOf(recorded().worktree?.things ?? []);

/** Those found, with those of the last look that nobody can see now; undefined if there are none. */
export function withUnseen<T>(
  found: readonly (T & Unseen)[],
  unseen: readonly T[],
): (T & Unseen)[] | undefined {
  const all: (T & Unseen)[] = [
    ...found,
    ...unseen.map((one) => ({ ...one, unseen: true }) as const),
  ];
  return all.length === 0 ? undefined : all;
}

/** For programs that start slowly; a later answer counts at the next look. */
export const COLLECTOR_MS = 1000;
/** For a collector of several programs, which reports what did answer. */
export const ENDED_MS = COLLECTOR_MS + 200;

/** The same, whose programs are ended in time to report what did answer. */
export const inTime = (around: Around): Around => ({
  ...around,
  run: until(COLLECTOR_MS, around.run).run,
});

/** The collector's answer, or undefined after its time limit; its programs are killed then. */
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
    // A failure after the time limit is ignored.
    work.catch(() => undefined);
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
