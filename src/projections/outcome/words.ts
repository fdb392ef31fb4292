import type { Verdict } from './judge.ts';

/** `exit 0`, and where the output says otherwise `exit 0, but failed`; `unknown (exit 0)`. */
export function outcomeText(verdict: Verdict, exitCode: number | null): string {
  const isSure = verdict === 'passed' || verdict === 'failed';
  if (exitCode === null) return verdict === 'passed' ? 'ok' : verdict;
  if (!isSure) return `${verdict} (exit ${exitCode})`;
  return agrees(verdict, exitCode) ? `exit ${exitCode}` : `exit ${exitCode}, but ${verdict}`;
}

export const agrees = (verdict: Verdict, exitCode: number | null): boolean =>
  exitCode === null ||
  !(verdict === 'passed' || verdict === 'failed') ||
  (exitCode === 0) === (verdict === 'passed');
