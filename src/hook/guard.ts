import { oneLine } from '../projections/safe-text.ts';

const LINE_CHARS_MAX = 400;
/** What to do may have a path in it; half a command is none. */
const NEXT_CHARS_MAX = 160;
const DOCTOR = 'Run: ben10 doctor';

/**
 * One line that says what went wrong beside the recording itself.
 * @param what came of it, as it stands behind `ben10: `
 * @throws STATES_BEHIND, for the hook to say: it goes on the next time
 */
function complaintOf(what: string, error: unknown): string {
  const { code = 'error', message, next } = error as { [key: string]: string | undefined };
  if (code === 'STATES_BEHIND') throw error;
  const first = String(message).split('\n')[0]!;
  // The system's messages begin with its code.
  const why = first.startsWith(`${code}: `) ? first : `${code}: ${first}`;
  const todo = oneLine(next !== undefined && next.length <= NEXT_CHARS_MAX ? next : DOCTOR);
  const end = `. ${todo}`;
  return `ben10: ${what}: ${oneLine(why)}`.slice(0, LINE_CHARS_MAX - end.length) + end;
}

/** Runs what may fail; undefined where it did. */
export type Guard = <T>(failed: string, run: () => T) => T | undefined;

/**
 * Keeps what fails from what comes after it.
 * @returns and what went wrong first, one line: a hook says no more
 */
export function guarding(): { guard: Guard; complaint(): string | undefined } {
  let first: string | undefined;
  return {
    guard(failed, run) {
      try {
        return run();
      } catch (error) {
        const line = complaintOf(failed, error);
        first ??= line;
        return undefined;
      }
    },
    complaint: () => first,
  };
}
