import type { IterationFinished } from '../events/types.ts';
import { Ends } from '../platform/programs/ends.ts';
import { runShell } from '../platform/programs/shell.ts';
import { judge } from '../projections/outcome/judge.ts';
import type { LoopRun } from './run.ts';

type CheckResult = IterationFinished['checks'][number];

const CHECK_MS = 15 * 60_000;
/** What the judge reads of an output. */
const HEAD_BYTES = 48 * 1024;
const TAIL_BYTES = 96 * 1024;
const FAILURE_CHARS = 400;

/** Runs the checks, one after the other; the one judge of outcomes says whether they passed. */
export async function runChecks(
  commands: readonly string[],
  cwd: string,
  { env, signal }: Pick<LoopRun, 'env' | 'signal'>,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const command of commands) {
    const output = new Ends(HEAD_BYTES, TAIL_BYTES);
    const printed = (chunk: Buffer) => output.add(chunk);
    const options = { cwd, env, timeoutMs: CHECK_MS, signal, printed };
    const { exit } = await runShell(command, options).catch(() => ({ exit: null }));
    // It was stopped, which says nothing of it.
    if (signal.aborted) break;
    const text = Buffer.concat([output.first, output.last]).toString('utf8');
    results.push(resultOf(command, text, exit));
  }
  return results;
}

/** The user says that it is a check: alone, also a script that says nothing has passed if it ends with 0. */
function resultOf(command: string, output: string, exitCode: number | null): CheckResult {
  const { verdict, cause } = judge({ command, output, exitCode, isUnfinished: exitCode === null });
  const isAlone = !/[|;&\n]/.test(command.replaceAll('&&', ''));
  if (verdict === 'passed' || (verdict === 'unknown' && exitCode === 0 && isAlone))
    return { command, isPassed: true };
  const failure =
    exitCode === null ? 'it did not end by itself' : cause || `${verdict}, exit ${exitCode}`;
  return { command, isPassed: false, failure: failure.slice(0, FAILURE_CHARS) };
}
