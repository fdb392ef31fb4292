import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, YAMLMap } from 'yaml';
import { listInLines } from './edit-yaml-list.ts';
import { columnOf, endOf, lineEnd, lineStart, type Node } from './yaml-lines.ts';

/** A setting's place in a file: its sections, and its name last. */
export type SettingPath = readonly string[];

/** Spaces between a section and what is in it, where a file shows no other habit. */
const INDENT = 2;

/**
 * Ways to write a setting into a sound text, the best one first: by lines, which leaves all else as it is, byte for byte;
 * and by rewriting the document with its comments, for what is written in braces, or with anchors. Which of them says what
 * it was to say is for the caller to see.
 */
export function* setInYaml(text: string, path: SettingPath, value: unknown): Generator<string> {
  const document = parseDocument(text);
  const { pairs, map } = follow(document, path);
  const written = JSON.stringify(value);
  if (pairs.length === path.length) {
    const { value: before } = pairs.at(-1)!;
    const lines =
      isSeq(before) && Array.isArray(value) ? listInLines(text, before, value) : undefined;
    if (lines !== undefined) yield lines;
    yield replaceValue(text, pairs.at(-1)!, written);
  } else yield addLines(text, path, pairs, map, written);
  openSections(document, path);
  document.setIn(path, document.createNode(value, { flow: true }));
  yield document.toString({ lineWidth: 0 });
}

/** The same for taking a setting out; its section stays, and so do the comments above it. */
export function* unsetInYaml(text: string, path: SettingPath): Generator<string> {
  const document = parseDocument(text);
  const { pairs } = follow(document, path);
  const found = pairs.at(-1)!;
  const start = lineStart(text, (found.key as Node).range![0]);
  yield text.slice(0, start) + text.slice(lineEnd(text, endOf(found)));
  document.deleteIn(path);
  yield document.toString({ lineWidth: 0 });
}

/** As far as the path is there: the pairs that lead on, and the map that holds the last of them, or would hold the next. */
function follow(
  document: Document,
  path: SettingPath,
): { pairs: Pair[]; map: YAMLMap | undefined } {
  const pairs: Pair[] = [];
  let map: YAMLMap | undefined;
  let at: unknown = document.contents;
  for (const name of path) {
    map = isMap(at) ? at : undefined;
    const pair = map?.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (pair === undefined) break;
    pairs.push(pair);
    at = pair.value;
  }
  return { pairs, map };
}

function replaceValue(text: string, pair: Pair, written: string): string {
  const { key, value } = pair;
  const colon = text.indexOf(':', (key as Node).range![1]) + 1;
  const end = endOf(value);
  if (end === 0) return `${text.slice(0, colon)} ${written}${text.slice(colon)}`;
  const start = (value as Node).range![0];
  // What stood in lines of its own goes behind the colon.
  const isBelow = text.slice(colon, start).includes('\n');
  const from = isBelow ? `${text.slice(0, colon)} ` : text.slice(0, start);
  // A text over lines takes its last line's end with it.
  const isOver = text[end - 1] === '\n';
  return `${from}${written}${isOver ? '\n' : ''}${text.slice(end)}`;
}

/** A new line below the one that shows the setting's default, or else behind the last one of its section. */
function addLines(
  text: string,
  path: SettingPath,
  pairs: readonly Pair[],
  map: YAMLMap | undefined,
  written: string,
): string {
  const missing = path.slice(pairs.length);
  const section = pairs.at(-1);
  const head = (section?.key as Node | undefined)?.range;
  const beside = (map?.items[0]?.key as Node | undefined)?.range?.[0];
  const parent = head ? columnOf(text, head[0]) : -INDENT;
  const column = beside === undefined ? parent + INDENT : columnOf(text, beside);
  const lines = missing.map((name, depth) => {
    const indent = ' '.repeat(column + depth * INDENT);
    return `${indent}${name}:${depth === missing.length - 1 ? ` ${written}` : ''}\n`;
  });
  if (!head) {
    const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
    return `${text}${gap}${lines.join('')}`;
  }
  const last = map?.items.at(-1);
  const top = lineEnd(text, last === undefined ? head[1] : endOf(last));
  const shown =
    missing.length === 1
      ? belowDefault(text, lineEnd(text, head[1]), column, missing[0]!)
      : undefined;
  const at = shown ?? top;
  const before = text.slice(0, at);
  return `${before}${before.endsWith('\n') ? '' : '\n'}${lines.join('')}${text.slice(at)}`;
}

/** Behind the comment `# name: …` of a section, as `init` writes it. */
function belowDefault(text: string, top: number, column: number, name: string): number | undefined {
  const shown = `${' '.repeat(column)}# ${name}:`;
  for (let at = top; at < text.length; ) {
    const end = lineEnd(text, at + 1);
    const line = text.slice(at, end);
    if (line.startsWith(shown)) return end;
    const isComment = /^\s*(#|$)/.test(line);
    if (!isComment && line.search(/\S/) < column) return undefined;
    at = end;
  }
  return undefined;
}

/** A section without anything in it is read as nothing, and takes no setting. */
function openSections(document: Document, path: SettingPath): void {
  for (let depth = 1; depth < path.length; depth += 1) {
    const above = path.slice(0, depth);
    if (!isMap(document.getIn(above))) document.setIn(above, new YAMLMap());
  }
}
