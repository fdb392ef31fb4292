import { createContext, Script } from 'node:vm';

/** A sound pattern takes milliseconds for all that is met at once. */
export const MATCH_MS_MAX = 5000;

const CALL = new Script('work()');
let scope: { work?: () => unknown } | undefined;

/**
 * Runs a match, which nothing else in JavaScript can stop: `(a+)+b` takes longer than anybody lives.
 * @returns undefined when it takes longer than that
 */
export function timedMatch<T>(match: () => T, ms = MATCH_MS_MAX): { value: T } | undefined {
  scope ??= createContext({});
  scope.work = match;
  try {
    return { value: CALL.runInContext(scope, { timeout: ms }) as T };
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    delete scope.work;
  }
}
