import {
  applyEdits,
  type FormattingOptions,
  getNodePath,
  type ModificationOptions,
  modify,
  type Node,
  visit,
} from 'jsonc-parser';
import { type JsonText, parseJsonText } from './json-text.ts';

// Comments and other values stay; white space around an edit may change.

export const addMember = (doc: JsonText, object: Node, key: string, value: unknown): JsonText =>
  modified(doc, [...getNodePath(object), key], value);

export const addItem = (doc: JsonText, array: Node, value: unknown): JsonText =>
  modified(doc, [...getNodePath(array), -1], value);

export const setValue = (doc: JsonText, node: Node, value: unknown): JsonText =>
  modified(doc, getNodePath(node), value);

function modified(doc: JsonText, path: (string | number)[], value: unknown): JsonText {
  const [, mark = '', json = ''] = /^(\ufeff?)(.*)$/s.exec(doc.text)!;
  const edits = modify(json, path, value, styleOf(doc));
  return parseJsonText(doc.file, mark + applyEdits(json, edits));
}

/** The file's indentation; JSON on a single line stays on it. */
function styleOf({ text, root }: JsonText): ModificationOptions {
  const isOneLine = root.children?.length && !textOf({ text }, root).includes('\n');
  if (isOneLine) return {};
  const [, unit = '  '] = /\n([ \t]+)"/.exec(text) ?? [];
  const formattingOptions: FormattingOptions = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.length,
    eol: /\r?\n/.exec(text)?.[0] ?? '\n',
  };
  return { formattingOptions };
}

/**
 * Removes a member (its property node) or an item, with its comma and its empty line. Not with `modify`, which drops comments
 * around it, and breaks a one-line list when its last item is removed.
 */
export function removeChild(doc: JsonText, container: Node, child: Node): JsonText {
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const [from, to] = [child.offset, endOf(child)];
  const after = children[index + 1]?.offset ?? endOf(container);
  const before = index > 0 ? endOf(children[index - 1]!) : from;
  const commas = commasOf(doc);
  const comma =
    commas.find((at) => at >= to && at < after) ?? commas.find((at) => at >= before && at < from);
  const cuts = [{ offset: from, length: to - from, content: '' }];
  if (comma !== undefined) cuts.push({ offset: comma, length: 1, content: '' });
  const text = withoutBlankLine(
    applyEdits(doc.text, cuts),
    comma !== undefined && comma < from ? from - 1 : from,
  );
  const left = parseJsonText(doc.file, text);
  return children.length === 1 ? closed(left, container.offset) : left;
}

function commasOf({ text }: JsonText): number[] {
  const commas: number[] = [];
  const onSeparator = (character: string, at: number) => {
    if (character === ',') commas.push(at);
  };
  visit(text.replace(/^\ufeff/, ' '), { onSeparator });
  return commas;
}

function withoutBlankLine(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1);
  const end = text.indexOf('\n', at);
  const isBlank = start !== -1 && end !== -1 && text.slice(start, end).trim() === '';
  return isBlank ? text.slice(0, start) + text.slice(end) : text;
}

/** Removes white space in an empty object or list. */
function closed(doc: JsonText, open: number): JsonText {
  const [, space] = /^.(\s*)[}\]]/s.exec(doc.text.slice(open)) ?? [];
  if (space === undefined) return doc;
  const text = doc.text.slice(0, open + 1) + doc.text.slice(open + 1 + space.length);
  return parseJsonText(doc.file, text);
}

const endOf = (node: Node): number => node.offset + node.length;

export const textOf = ({ text }: Pick<JsonText, 'text'>, node: Node): string =>
  text.slice(node.offset, endOf(node));
