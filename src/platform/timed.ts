import { createContext, Script } from 'node:vm';

const CALL = new Script('work()');
let scope: { work?: () => unknown } | undefined;

/**
 * Runs work that nothing else in JavaScript can interrupt, such as a regular expression that backtracks for years.
 * @returns undefined if it takes longer than `ms`
 */
export function timed<T>(work: () => T, ms: number): { value: T } | undefined {
  scope ??= createContext({});
  scope.work = work;
  try {
    return { value: CALL.runInContext(scope, { timeout: ms }) as T };
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    delete scope.work;
  }
}
