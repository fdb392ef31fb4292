import { type Environment, environmentLayer } from './config/environment.ts';
import type { ConfigProblem } from './config/problem.ts';

/** One line for each `BEN10_*` variable with an invalid value. */
export const variableWarnings = (env: Environment): string[] =>
  environmentLayer(env).problems.map(({ message }) => `${message}; it is ignored`);

/** One line about invalid settings, with the first one's place; undefined if there are none. */
export function configWarning(problems: readonly ConfigProblem[]): string | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  const { message, file, line } = first;
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
  return `the configuration has a mistake; its valid parts and the last valid values apply: ${message}${more}${place}`;
}
