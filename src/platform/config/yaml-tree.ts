import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { TreeProblem } from './value.ts';
import { isTooDeep, isTooLong } from './yaml-limits.ts';

/** Protects from files whose aliases expand to gigabytes. */
const ALIASES_MAX = 100;

/** 1-based. */
export interface Place {
  line: number;
  column: number;
}

export type Fault = Place & { message: string };

export interface Tree {
  /** Why it cannot be used; then `value` has what could be read, if anything. */
  fault?: Fault;
  /** As plain data. @throws Error for too many aliases */
  value(): unknown;
  placeOf(problem: Pick<TreeProblem, 'path' | 'atKey'>): Place;
  /** Of the first alias. */
  firstAlias(): Place | undefined;
}

/** A YAML file that somebody else may have written. Never throws. @param faultIn finds what YAML allows and a format does not */
export function readTree(bytes: Uint8Array, faultIn?: (text: string) => Fault | undefined): Tree {
  const lines = new LineCounter();
  let document: Document | undefined;
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const read = (): Fault | undefined => {
    const start = { line: 1, column: 1 };
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return { ...start, message: 'the file is not UTF-8 text' };
    }
    try {
      if (isTooLong(text)) return { ...start, message: 'not usable: it has too many parts' };
      if (isTooDeep(text)) return { ...start, message: 'not usable: it is nested too deep' };
      const wrong = faultIn?.(text);
      if (wrong !== undefined) return wrong;
      document = parseDocument(text, {
        lineCounter: lines,
        prettyErrors: false,
        logLevel: 'error',
        // The library compares each with each.
        uniqueKeys: false,
      });
    } catch (error) {
      return { ...start, message: `not usable: ${reasonOf(error as Error)}` };
    }
    const [wrong] = document.errors;
    if (wrong !== undefined)
      return { ...placeAt(wrong.pos[0]), message: `not valid YAML: ${reasonOf(wrong)}` };
    const twice = keyTwice(document);
    if (twice === undefined) return undefined;
    return { ...placeAt(twice), message: 'not valid YAML: Map keys must be unique' };
  };
  const fault = read();
  return {
    ...(fault && { fault }),
    value: () => document?.toJS({ maxAliasCount: ALIASES_MAX }),
    placeOf: (problem) => placeAt(offsetOf(document?.contents ?? null, problem)),
    firstAlias: () => {
      let first: number | undefined;
      visit(document ?? null, {
        Alias(_, { range }) {
          first = range?.[0] ?? 0;
          return visit.BREAK;
        },
      });
      return first === undefined ? undefined : placeAt(first);
    },
  };
}

/** The offset of the first key that stands twice in its map. */
function keyTwice(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : key;
        if (seen.has(name)) {
          found = (key as Node).range?.[0] ?? 0;
          return visit.BREAK;
        }
        seen.add(name);
      }
      return undefined;
    },
  });
  return found;
}

/** The parser's message, without quoted text, which may be a secret. */
export const reasonOf = ({ message }: Error): string =>
  message.split('\n', 1)[0]!.replace(/: .*/, '').replace(/!\S+/g, 'its tag');

/** The offset of the value, or of the key if that is the problem. */
function offsetOf(root: Node | null, problem: Pick<TreeProblem, 'path' | 'atKey'>): number {
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
