/** `warn`: it works with limits. `fail`: something is not recorded, may be lost, or others can see it. */
export type Verdict = 'ok' | 'warn' | 'fail';

export interface Finding {
  /** What was checked, in a word or two; stable. */
  check: string;
  verdict: Verdict;
  /** One sentence without a full stop. */
  what: string;
  /** How to fix it. */
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
