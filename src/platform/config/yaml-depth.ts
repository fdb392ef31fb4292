import { type CST, Parser } from 'yaml';

/** Settings nest four levels deep at most. */
const DEPTH_MAX = 50;

/** Whether a text nests too deep for the recursive parser: a stack overflow in V8's regexp compiler ends the process. */
export function isTooDeep(text: string): boolean {
  const waiting: [token: CST.Token | null | undefined, depth: number][] = [];
  for (const token of new Parser().parse(text)) waiting.push([token, 0]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [token, depth] = next;
    if (depth > DEPTH_MAX) return true;
    if (token?.type === 'document') waiting.push([token.value, depth]);
    else if (token && 'items' in token)
      for (const { key, value } of token.items) waiting.push([key, depth + 1], [value, depth + 1]);
  }
  return false;
}
