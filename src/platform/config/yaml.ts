import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { checkTree } from './check.ts';
import type { Layer } from './environment.ts';
import { type ConfigValues, configKey } from './keys.ts';
import type { ConfigProblem } from './problem.ts';
import { type Fault, type Place, readTree, reasonOf, type Tree } from './yaml-tree.ts';

export const PROBLEMS_MAX = 20;

/** The settings of a YAML or JSON file, and problems with line and column. Never throws. */
export function parseConfigFile(file: string, bytes: Uint8Array): Layer {
  const broken = (
    message: string,
    { line, column }: Place = { line: 1, column: 1 },
    partial?: ConfigValues,
  ): Layer => ({
    values: new Map(),
    problems: [{ path: '', message, file, line, column }],
    isBroken: true,
    ...(partial !== undefined && { partial }),
  });
  // JSON is YAML: one parser gives both the same limits and places.
  const tree = readTree(bytes, file.endsWith('.json') ? jsonFault : undefined);
  const { fault, placeOf } = tree;
  if (fault !== undefined) return broken(fault.message, fault, listsIn(tree));
  try {
    const { values, problems, partial, doubtful } = checkTree(tree.value());
    const placed = problems.slice(0, PROBLEMS_MAX).map((problem): ConfigProblem => {
      const said = problem.isSecret ? problem.path.slice(0, -1) : problem.path;
      return { path: pathName(said), message: problem.message, file, ...placeOf(problem) };
    });
    const lines = [...values.keys()].map((name): [string, number] => [
      name,
      placeOf({ path: name.split('.'), atKey: true }).line,
    ]);
    return { values, problems: placed, partial, doubtful, lines: new Map(lines) };
  } catch (error) {
    // Too many aliases.
    return broken(`not usable: ${reasonOf(error as Error)}`);
  }
}

/** What an invalid file still says of rules and excluded files: more of these is safer than less. */
function listsIn(tree: Tree): ConfigValues {
  try {
    const { values, partial } = checkTree(tree.value());
    const read = [...partial, ...values];
    return new Map(read.filter(([name]) => SAFE_IN_PART.has(configKey(name)?.kind ?? '')));
  } catch {
    return new Map();
  }
}

const SAFE_IN_PART = new Set(['patterns', 'globs']);

/** The first error that JSON has and YAML does not. */
function jsonFault(text: string): Fault | undefined {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowEmptyContent: true });
  const [fault] = errors;
  if (fault === undefined) return undefined;
  const before = text.slice(0, fault.offset).split('\n');
  const what = printParseErrorCode(fault.error).replace(/\B[A-Z]/g, (it) => ` ${it.toLowerCase()}`);
  const message = `not valid JSON: ${what.toLowerCase()}`;
  return { message, line: before.length, column: before.at(-1)!.length + 1 };
}

function pathName(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (name, step) =>
      typeof step === 'number' ? `${name}[${step}]` : name === '' ? step : `${name}.${step}`,
    '',
  );
}
