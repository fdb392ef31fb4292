import { isNode, type YAMLSeq } from 'yaml';
import { endOf, lineEnd, lineStart } from './yaml-lines.ts';

/** An item's lines in the text, and what it says. */
interface Item {
  from: number;
  to: number;
  says: string;
}

/**
 * The text with other items in a list whose items stand in lines of their own: what stays keeps its line and its remark, what
 * goes takes those of its line along, and remarks between items stay. Undefined where the list is written in another way.
 */
export function listInLines(
  text: string,
  list: YAMLSeq,
  values: readonly unknown[],
): string | undefined {
  if (list.flow === true || list.items.length === 0 || values.length === 0) return undefined;
  const items = list.items.map((item) => itemOf(text, item));
  if (!items.every(({ from }) => text.slice(from).trimStart().startsWith('- '))) return undefined;
  const indent = /^\s*/.exec(text.slice(items[0]!.from))![0];
  const kept = new Set<number>();
  /** New lines, by the item that they stand behind; -1 is the top. */
  const added = new Map<number, string>();
  let last = -1;
  for (const says of values.map((value) => JSON.stringify(value))) {
    const found = items.findIndex((item, index) => index > last && item.says === says);
    if (found === -1) added.set(last, `${added.get(last) ?? ''}${indent}- ${says}\n`);
    else kept.add(found);
    last = Math.max(last, found);
  }
  let done = items[0]!.from;
  let left = text.slice(0, done) + (added.get(-1) ?? '');
  for (const [index, { from, to }] of items.entries()) {
    left += text.slice(done, from) + (kept.has(index) ? text.slice(from, to) : '');
    const more = added.get(index);
    if (more !== undefined) left += (left.endsWith('\n') ? '' : '\n') + more;
    done = to;
  }
  return left + text.slice(done);
}

function itemOf(text: string, item: unknown): Item {
  const start = isNode(item) ? (item.range?.[0] ?? 0) : 0;
  const says = isNode(item) ? JSON.stringify(item.toJSON()) : '';
  return { from: lineStart(text, start), to: lineEnd(text, endOf(item)), says };
}
