import { type CST, Lexer, Parser } from 'yaml';

/** Settings nest four levels deep at most. */
const DEPTH_MAX = 50;

/** The parser takes some 15 microseconds and half a kilobyte for each. */
const TOKENS_MAX = 200_000;

/** Whether a text has more parts than anybody would write: a file of 4 MiB could take minutes, and gigabytes. */
export function isTooLong(text: string): boolean {
  let tokens = 0;
  for (const _ of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > TOKENS_MAX) return true;
  }
  return false;
}

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
