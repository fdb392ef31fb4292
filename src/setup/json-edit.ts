import { type Node, visit } from 'jsonc-parser';
import { type JsonText, parseJsonText } from './json-text.ts';

// Only what is added, replaced or removed changes: a file from which all that was added is removed has its old bytes again.

export const addMember = (doc: JsonText, object: Node, key: string, value: unknown): JsonText =>
  added(doc, object, `${JSON.stringify(key)}:`, value);

export const addItem = (doc: JsonText, array: Node, value: unknown): JsonText =>
  added(doc, array, '', value);

export function setValue(doc: JsonText, node: Node, value: unknown): JsonText {
  const isOneLine = !textOf(doc, node).includes('\n') && (node.children?.length ?? 0) > 0;
  const text =
    isOneLine || isOnOneLine(doc)
      ? JSON.stringify(value)
      : laidOut(doc, value, indentAt(doc, node.offset));
  return spliced(doc, node.offset, endOf(node), text);
}

/** Behind the last child and the comments after it, in the container's own style; white space before the closing bracket stays there. */
function added(doc: JsonText, container: Node, name: string, value: unknown): JsonText {
  const { text } = doc;
  const [open, close] = [container.offset, endOf(container) - 1];
  const last = container.children?.at(-1);
  const at = open + 1 + text.slice(open + 1, close).trimEnd().length;
  const commas = last === undefined ? [] : commasOf(doc).filter((one) => one >= endOf(last));
  const hasComma = commas.some((one) => one < close);
  const comma = hasComma ? ',' : '';
  const isInline = last === undefined ? isOnOneLine(doc) : !textOf(doc, container).includes('\n');
  const outer = indentAt(doc, open);
  const inner = last === undefined ? outer + unitOf(doc) : indentAt(doc, last.offset);
  const space = /[,:] /.test(text) ? ' ' : '';
  const opened = last === undefined && !text.slice(at, close).includes('\n');
  const added = isInline
    ? `${last === undefined ? '' : space}${name}${name && space}${JSON.stringify(value)}${comma}`
    : `${eolOf(doc)}${inner}${name}${name && ' '}${laidOut(doc, value, inner)}${comma}${opened ? eolOf(doc) + outer : ''}`;
  const end = last === undefined || hasComma ? at : endOf(last);
  const needed = last === undefined || hasComma ? '' : ',';
  return parseJsonText(
    doc.file,
    text.slice(0, end) + needed + text.slice(end, at) + added + text.slice(at),
  );
}

/** JSON on a single line stays on it. */
const isOnOneLine = ({ text, root }: JsonText): boolean =>
  (root.children?.length ?? 0) > 0 && !textOf({ text }, root).includes('\n');

const laidOut = (doc: JsonText, value: unknown, indent: string): string =>
  JSON.stringify(value, null, unitOf(doc))
    .split('\n')
    .join(eolOf(doc) + indent);

const unitOf = ({ text }: JsonText): string => /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
const eolOf = ({ text }: JsonText): string => /\r?\n/.exec(text)?.[0] ?? '\n';

/** The white space with which the line of a place begins. */
const indentAt = ({ text }: JsonText, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))![0];

/** Removes a member (its property node) or an item with its comma, and the line that it had for itself. */
export function removeChild(doc: JsonText, container: Node, child: Node): JsonText {
  const { text } = doc;
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const after = children[index + 1]?.offset ?? endOf(container);
  const before = index > 0 ? endOf(children[index - 1]!) : container.offset + 1;
  const commas = commasOf(doc);
  const next = commas.find((at) => at >= endOf(child) && at < after);
  const comma = next ?? commas.find((at) => at >= before && at < child.offset);
  let [from, to] = [child.offset, endOf(child)];
  // Without a comment between them.
  const isNext = next !== undefined && text.slice(to, next).trim() === '';
  if (isNext) to = next + 1;
  const space = /\s*$/.exec(text.slice(before, from))![0];
  const isInline = !space.includes('\n');
  const [rest = ''] = text.slice(to).split('\n');
  const isLast = rest.trim() === '' || (index > 0 && /^\s*[}\]]/.test(rest));
  const isCommented = text.slice(before, from).includes('//') && rest.trim() !== '';
  const isOnly = children.length === 1;
  if (isInline ? index > 0 || isOnly || isLast : isLast && !isCommented) from -= space.length;
  const isSpaced = isOnly ? isInline && space !== '' : index === 0 && !isLast;
  if (isSpaced) to += /^[ \t]*/.exec(rest)![0].length;
  const cut = text.slice(0, from) + text.slice(to);
  const at = comma === undefined || isNext ? undefined : comma < from ? comma : comma - (to - from);
  const left = at === undefined ? cut : cut.slice(0, at) + cut.slice(at + 1);
  const parsed = parseJsonText(doc.file, left);
  return isOnly ? closed(parsed, container.offset) : parsed;
}

function commasOf({ text }: JsonText): number[] {
  const commas: number[] = [];
  const onSeparator = (character: string, at: number) => {
    if (character === ',') commas.push(at);
  };
  visit(text.replace(/^\ufeff/, ' '), { onSeparator });
  return commas;
}

/** An empty object or list that only an edit had opened. */
function closed(doc: JsonText, open: number): JsonText {
  const [, space = ''] = /^.(\s*)[}\]]/s.exec(doc.text.slice(open)) ?? [];
  const isOurs = space.replace(/^\r?\n/, '') === indentAt(doc, open) && space.includes('\n');
  return isOurs ? spliced(doc, open + 1, open + 1 + space.length, '') : doc;
}

const spliced = (doc: JsonText, from: number, to: number, text: string): JsonText =>
  parseJsonText(doc.file, doc.text.slice(0, from) + text + doc.text.slice(to));

const endOf = (node: Node): number => node.offset + node.length;

export const textOf = ({ text }: Pick<JsonText, 'text'>, node: Node): string =>
  text.slice(node.offset, endOf(node));
