import { isCollection, isPair } from 'yaml';

export type Node = { range?: [number, number, number] | null };

/** Behind the last character of what stands in a pair: the range of a list in lines goes on to what follows it. */
export function endOf(node: unknown): number {
  if (isPair(node))
    return node.value === null ? endOf(node.key) : endOf(node.value) || endOf(node.key);
  if (isCollection(node) && node.flow !== true && node.items.length > 0)
    return endOf(node.items.at(-1));
  const [start = 0, end = 0] = (node as Node).range ?? [];
  return start === end ? 0 : end;
}

export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
export const columnOf = (text: string, at: number): number => at - lineStart(text, at);

/** Behind the end of the line that the character before `at` stands on. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', Math.max(0, at - 1));
  return end === -1 ? text.length : end + 1;
}
