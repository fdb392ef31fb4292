import { oneLine } from '../projections/safe-text.ts';

const LINE_CHARS_MAX = 400;
/** A next step may contain a path; half a command is of no use. */
const NEXT_CHARS_MAX = 160;
const DOCTOR = 'Run: ben10 doctor';

/**
 * One line about a failure outside of recording.
 * @param what the effect, shown after `ben10: `
 * @throws STATES_BEHIND, for the hook: the next one goes on
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

/** Runs what may fail; undefined if it did. */
export type Guard = <T>(failed: string, run: () => T) => T | undefined;

/**
 * Keeps a failure from stopping what follows.
 * @returns and the first failure as one line: a hook prints no more
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
