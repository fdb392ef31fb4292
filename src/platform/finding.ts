/** `warn`: it works, with less than it could. `fail`: something is not recorded, or may be lost or seen by others. */
export type Verdict = 'ok' | 'warn' | 'fail';

export interface Finding {
  /** What was looked at, in a word or two; stable. */
  check: string;
  verdict: Verdict;
  /** What was found: one sentence without its full stop. */
  what: string;
  /** How to mend it; absent when there is nothing to mend. */
  mend?: string;
}

export const ok = (check: string, what: string): Finding => ({ check, verdict: 'ok', what });

export const warn = (check: string, what: string, mend: string): Finding => ({
  check,
  verdict: 'warn',
  what,
  mend,
});

export const fail = (check: string, what: string, mend: string): Finding => ({
  check,
  verdict: 'fail',
  what,
  mend,
});
