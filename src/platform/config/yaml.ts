import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { checkTree } from './check.ts';
import type { Layer } from './environment.ts';
import { type ConfigValues, configKey } from './keys.ts';
import type { ConfigProblem } from './problem.ts';
import type { TreeProblem } from './value.ts';
import { isTooDeep } from './yaml-depth.ts';

/** Protects from files whose aliases expand to gigabytes. */
const ALIASES_MAX = 100;
const TOO_DEEP = 'not usable as a configuration: it is nested too deep';
export const PROBLEMS_MAX = 20;

/** The settings of a YAML or JSON file, and problems with line and column. Never throws. */
export function parseConfigFile(file: string, bytes: Uint8Array): Layer {
  const broken = (message: string, line = 1, column = 1, partial?: ConfigValues): Layer => ({
    values: new Map(),
    problems: [{ path: '', message, file, line, column }],
    isBroken: true,
    ...(partial !== undefined && { partial }),
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return broken('the file is not UTF-8 text');
  }
  const lines = new LineCounter();
  try {
    if (isTooDeep(text)) return broken(TOO_DEEP);
    const wrong = file.endsWith('.json') ? jsonFault(text) : undefined;
    if (wrong !== undefined) return broken(wrong.message, wrong.line, wrong.column);
    // JSON is YAML: one parser gives both the same limits and places.
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'error',
    });
    const [fault] = document.errors;
    if (fault !== undefined) {
      const { line, col } = lines.linePos(fault.pos[0]);
      return broken(`not valid YAML: ${reason(fault)}`, line, col, listsIn(document));
    }
    const { values, problems, partial, doubtful } = checkTree(
      document.toJS({ maxAliasCount: ALIASES_MAX }),
    );
    const placed = problems.slice(0, PROBLEMS_MAX).map((problem): ConfigProblem => {
      const { line, col } = lines.linePos(offsetOf(document.contents, problem));
      const said = problem.isSecret ? problem.path.slice(0, -1) : problem.path;
      return { path: pathName(said), message: problem.message, file, line, column: col };
    });
    return {
      values,
      problems: placed,
      partial,
      doubtful,
      lines: linesOf(document.contents, values, lines),
    };
  } catch (error) {
    // Too many aliases.
    return broken(`not usable as a configuration: ${reason(error as Error)}`);
  }
}

/** The parser's message, without quoted text, which may be a secret. */
const reason = ({ message }: Error): string =>
  firstLine(message).replace(/: .*/, '').replace(/!\S+/g, 'its tag');

/** What an invalid file still says of rules and excluded files: more of these is safer than less. */
function listsIn(document: Document): ConfigValues {
  try {
    const { values, partial } = checkTree(document.toJS({ maxAliasCount: ALIASES_MAX }));
    const read = [...partial, ...values];
    return new Map(read.filter(([name]) => SAFE_IN_PART.has(configKey(name)?.kind ?? '')));
  } catch {
    return new Map();
  }
}

const SAFE_IN_PART = new Set(['patterns', 'globs']);

/** The first error that JSON has and YAML does not. */
function jsonFault(text: string): { message: string; line: number; column: number } | undefined {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowEmptyContent: true });
  const [fault] = errors;
  if (fault === undefined) return undefined;
  const before = text.slice(0, fault.offset).split('\n');
  const what = printParseErrorCode(fault.error).replace(/\B[A-Z]/g, (it) => ` ${it.toLowerCase()}`);
  const message = `not valid JSON: ${what.toLowerCase()}`;
  return { message, line: before.length, column: before.at(-1)!.length + 1 };
}

function linesOf(
  root: Node | null,
  values: ReadonlyMap<string, unknown>,
  lines: LineCounter,
): Map<string, number> {
  const places = [...values.keys()].map((name): [string, number] => {
    const offset = offsetOf(root, { path: name.split('.'), message: '', atKey: true });
    return [name, lines.linePos(offset).line];
  });
  return new Map(places);
}

/** The offset of the value, or of the key if that is the problem. */
function offsetOf(root: Node | null, problem: TreeProblem): number {
  let at = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [depth, step] of problem.path.entries()) {
    const last = depth === problem.path.length - 1;
    let next: unknown;
    if (isMap(at)) {
      const pair = pairOf(at, step);
      next = pair?.value;
      const key = pair?.key as Node | undefined;
      if (last && problem.atKey) next = key;
      offset = key?.range?.[0] ?? offset;
    } else if (isSeq(at)) {
      next = at.items[step as number];
    }
    at = (next ?? null) as Node | null;
    if (at?.range) offset = hasText(at) ? at.range[0] : offset;
  }
  return offset;
}

const pairOf = (map: YAMLMap, step: string | number) =>
  map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(step));

const hasText = (node: Node) => node.range![1] > node.range![0];

function pathName(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (name, step) =>
      typeof step === 'number' ? `${name}[${step}]` : name === '' ? step : `${name}.${step}`,
    '',
  );
}

const firstLine = (message: string) => message.split('\n', 1)[0]!;
