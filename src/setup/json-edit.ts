import { createScanner, type Node } from 'jsonc-parser';
import { type JsonText, parseJsonText } from './json-text.ts';

/*
 * Edits that leave every other byte alone. jsonc-parser's own `modify` does not: it formats whole lines around an edit
 * and drops comments beside a removed item.
 */

// Token numbers of jsonc-parser's scanner, whose enum is types only.
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const END_OF_FILE = 17;

/** Adds a member to the end of an object. */
export function addMember(doc: JsonText, object: Node, key: string, value: unknown): JsonText {
  const style = styleOf(doc);
  const member = (indent?: string) => {
    const colon = indent === undefined && !style.spaced ? ':' : ': ';
    return `${JSON.stringify(key)}${colon}${render(value, style, indent)}`;
  };
  return edited(doc, withChild(doc, object, member));
}

/** Adds an item to the end of an array. */
export function addItem(doc: JsonText, array: Node, value: unknown): JsonText {
  const style = styleOf(doc);
  return edited(
    doc,
    withChild(doc, array, (indent) => render(value, style, indent)),
  );
}

/** Replaces a value; on one line when what it stands in is on one line. */
export function setValue(doc: JsonText, node: Node, value: unknown): JsonText {
  const container = node.parent?.type === 'property' ? node.parent.parent : node.parent;
  const oneLine = container !== undefined && !textOf(doc, container).includes('\n');
  const indent = oneLine ? undefined : indentAt(doc.text, node.offset);
  const inner = render(value, styleOf(doc), indent);
  return edited(doc, splice(doc.text, node.offset, endOf(node), inner));
}

/** Removes a member (its property node) or an item, with its comma and its line; comments stay. */
export function removeChild(doc: JsonText, container: Node, child: Node): JsonText {
  const { text } = doc;
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const next = children[index + 1];
  const after = trivia(doc, endOf(child), next?.offset ?? endOf(container) - 1);
  const end = after.comma === undefined ? endOf(child) : after.comma + 1;
  if (children.length === 1) {
    const rest =
      text.slice(container.offset + 1, child.offset) + text.slice(end, endOf(container) - 1);
    if (rest.trim() === '') {
      // `withChild` puts the first one of a line right behind the bracket: space behind it was there before.
      const isFirst = child.offset === container.offset + 1 && !rest.includes('\n');
      const close = isFirst ? end : endOf(container) - 1;
      return edited(doc, splice(text, container.offset + 1, close, ''));
    }
  }
  const without = splice(text, ...lineOf(text, child.offset, end, next === undefined), '');
  const previous = children[index - 1];
  if (after.comma !== undefined || previous === undefined) return edited(doc, without);
  // The last one went: the comma before it goes too.
  const before = trivia(doc, endOf(previous), child.offset);
  return edited(doc, splice(without, before.comma!, before.comma! + 1, ''));
}

const edited = (doc: JsonText, text: string): JsonText => parseJsonText(doc.file, text);

/** The range to cut: with its line's break and indent when it fills its lines, else with the space beside it. */
function lineOf(text: string, start: number, end: number, last: boolean): [number, number] {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const startsLine = lineStart > 0 && text.slice(lineStart, start).trim() === '';
  const after = /^[ \t]*/.exec(text.slice(end))![0].length;
  if (startsLine && /^\r?\n/.test(text.slice(end + after))) {
    return [lineStart - (text[lineStart - 2] === '\r' ? 2 : 1), end + after];
  }
  if (startsLine || !last) return [start, end + after];
  const before = /[ \t]*$/.exec(text.slice(0, start))![0].length;
  return [start - before, end];
}

/** The text with one more child at a container's end; `item` gives the child's text at an indent, or on one line. */
function withChild(doc: JsonText, container: Node, item: (indent?: string) => string): string {
  const { text } = doc;
  const { eol, unit, oneLine, spaced } = styleOf(doc);
  const close = endOf(container) - 1;
  const last = container.children?.at(-1);
  const outer = indentAt(text, container.offset);
  if (last === undefined) {
    const { tail } = trivia(doc, container.offset + 1, close);
    const kept = text.slice(container.offset + 1, tail);
    if (oneLine) return splice(text, tail, tail, item());
    const indent = outer + unit;
    const inner = `${kept}${eol}${indent}${item(indent)}${eol}${outer}`;
    return splice(text, container.offset + 1, close, inner);
  }
  const { comma, tail } = trivia(doc, endOf(last), close);
  const first = container.children![0]!;
  if (!text.slice(container.offset, first.offset).includes('\n')) {
    const space = spaced ? ' ' : '';
    return comma === undefined
      ? splice(text, endOf(last), endOf(last), `,${space}${item()}`)
      : splice(text, comma + 1, comma + 1, `${space}${item()},`);
  }
  const startsLine = text.slice(text.lastIndexOf('\n', last.offset) + 1, last.offset).trim() === '';
  const indent = startsLine ? indentAt(text, last.offset) : outer + unit;
  const kept = text.slice(endOf(last), tail);
  const added = `${eol}${indent}${item(indent)}`;
  // A list with a comma after its last item keeps that habit.
  const inner = comma === undefined ? `,${kept}${added}` : `${kept}${added},`;
  return splice(text, endOf(last), tail, inner);
}

/** The comma between two offsets, and the end of the last comma or comment there. */
function trivia(
  doc: JsonText,
  from: number,
  to: number,
): { comma: number | undefined; tail: number } {
  const scanner = createScanner(doc.text, false);
  scanner.setPosition(from);
  let comma: number | undefined;
  let tail = from;
  for (let token: number = scanner.scan(); token !== END_OF_FILE; token = scanner.scan()) {
    if (scanner.getTokenOffset() >= to) break;
    if (token === COMMA) comma = scanner.getTokenOffset();
    if (token === COMMA || token === LINE_COMMENT || token === BLOCK_COMMENT) {
      tail = scanner.getPosition();
    }
  }
  return { comma, tail };
}

interface Style {
  eol: string;
  /** One level of indentation. */
  unit: string;
  /** The whole value stands on one line: so must what is added. */
  oneLine: boolean;
  /** One-line JSON with spaces after commas and colons. */
  spaced: boolean;
}

function styleOf(doc: JsonText): Style {
  const { text, root } = doc;
  const first = root.children?.[0];
  const own = first && /\n([ \t]+)$/.exec(text.slice(0, first.offset))?.[1];
  return {
    eol: /\r?\n/.exec(text)?.[0] ?? '\n',
    unit: own?.slice(indentAt(text, root.offset).length) || '  ',
    oneLine: first !== undefined && !textOf(doc, root).includes('\n'),
    spaced: /":\s/.test(text),
  };
}

/** JSON on one line (indent undefined), or over lines whose first one stands at `indent`. */
function render(value: unknown, { eol, unit, spaced }: Style, indent: string | undefined): string {
  if (indent !== undefined) {
    return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
  }
  // Texts hold no raw line break: every one is layout.
  return spaced ? JSON.stringify(value, null, 1).replace(/\n */g, ' ') : JSON.stringify(value);
}

/** The white space that begins the line of an offset. */
const indentAt = (text: string, offset: number) =>
  /^\ufeff?([ \t]*)/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![1]!;

const endOf = (node: Node): number => node.offset + node.length;

export const textOf = (doc: JsonText, node: Node): string =>
  doc.text.slice(node.offset, endOf(node));

const splice = (text: string, from: number, to: number, inner: string): string =>
  text.slice(0, from) + inner + text.slice(to);
