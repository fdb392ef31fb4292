import { type Environment, environmentLayer } from './config/environment.ts';
import type { ConfigProblem } from './config/problem.ts';

/** What to tell of `BEN10_*` variables that are no values of their settings, a line each. */
export const variableWarnings = (env: Environment): string[] =>
  environmentLayer(env).problems.map(({ message }) => `${message}; it is left out`);

/** What to tell of settings that cannot be used as they stand, with the first one's place; one line. Undefined where all are sound. */
export function configWarning(problems: readonly ConfigProblem[]): string | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  const { message, file, line } = first;
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
  return `the configuration is wrong, what is sound of it and of the last sound one holds: ${message}${more}${place}`;
}
