import { oneLine } from '../projections/safe-text.ts';

const LINE_CHARS_MAX = 400;
/** A next step may contain a path; half a command is of no use. */
const NEXT_CHARS_MAX = 160;
const DOCTOR = 'Run: ben10 doctor';

/**
 * One line about a failure outside of recording.
 * @param what the effect, shown after `ben10: `
 */
function complaintOf(what: string, error: unknown): string {
  const { code = 'error', message, next } = error as { [key: string]: string | undefined };
  const first = String(message).split('\n')[0]!;
  // The system's messages begin with its code.
  const why = first.startsWith(`${code}: `) ? first : `${code}: ${first}`;
  const todo = oneLine(next !== undefined && next.length <= NEXT_CHARS_MAX ? next : DOCTOR);
  const end = `. ${todo}`;
  return `ben10: ${what}: ${oneLine(why)}`.slice(0, LINE_CHARS_MAX - end.length) + end;
}

/** Runs what may fail; undefined if it did. */
export type Guard = <T>(failed: string, run: () => T) => T | undefined;

export interface Guarding {
  /** @throws STATES_BEHIND, for the hook: the next one goes on */
  guard: Guard;
  /** The first failure as one line: a hook prints no more. */
  complaint(): string | undefined;
  /** The effect of the time limit, if it was reached. */
  undone(): string | undefined;
}

/** Keeps a failure from stopping what follows. */
export function guarding(): Guarding {
  let first: string | undefined;
  let undone: string | undefined;
  return {
    guard(failed, run) {
      try {
        return run();
      } catch (error) {
        if (isBehind(error)) {
          undone = failed;
          throw error;
        }
        first ??= complaintOf(failed, error);
        return undefined;
      }
    },
    complaint: () => first,
    undone: () => undone,
  };
}

export const isBehind = (error: unknown): boolean =>
  (error as { code?: string }).code === 'STATES_BEHIND';
