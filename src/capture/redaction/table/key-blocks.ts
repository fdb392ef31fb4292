import { valueAt } from '../assigned-value.ts';
import type { Span } from '../rule.ts';
import { BLOCKS, endOfIndent, startOfIndent } from '../setting-signs.ts';

/** The key of a block of YAML whose name says what it is for: `encrypt:`, and in one of the next lines `key: …`. */

/** How far behind the name of a block its key may stand, lines and characters of each. */
const BLOCK_LINES_MAX = 12;
const LINE_CHARS_MAX = 120;

/** Lines that begin a block of keys themselves, and how many of them may stand in each other. */
const OF_KEYS =
  /^(?:secret|sign|hmac|auth|keys?:|token|cipher|[ed][en]crypt|jwt|aes|[hrep]s\d|a\d{3}|sha\d)/i;
const DEPTH_MAX = 3;

/** `|`, `>-`: the value is what the next lines have, each of one word. Seen are no more than `SCALAR_CHARS_MAX`. */
const BREAK = '[ \\t]*(?:\\r?\\n|\\\\{1,7}n)[+-]?[ \\t]+';
const SCALAR = new RegExp(
  `^[|>][+-]?\\d?${BREAK}([\\w+/.=-]{16,}(?:${BREAK}[\\w+/.=-]+(?=\\s|\\\\|$)){0,32})`,
);
const SCALAR_CHARS_MAX = 960;

function endOf(text: string, at: number, chars: string): number {
  let end = at;
  while (chars.includes(text[end] ?? 'x')) end += 1;
  return end;
}
/** Where the next line begins, also behind an escaped end of one; -1 where none is near. */
function nextLine(text: string, from: number): number {
  for (let at = from; at < text.length && at - from < LINE_CHARS_MAX; at += 1) {
    if (text[at] === '\n') return at + 1;
    if (text[at] !== '\\') continue;
    const last = endOf(text, at, '\\');
    if (text[last] === 'n') return last + 1;
    if (text[last] !== 'r') return -1;
    at = last;
  }
  return -1;
}
/** Also an escaped end, or one of a text in marks. */
const isLineEnd = (text: string, at: number): boolean =>
  '\r\n'.includes(text[at] ?? '\n') ||
  (text[at] === '\\' && 'nr'.includes(text[endOf(text, at, '\\')] ?? '-'));

/** The value that begins at `at`, or in the next line where a sign says so. */
function valueBehind(text: string, at: number): Span | undefined {
  if (isLineEnd(text, at)) return undefined;
  const [all, own] = SCALAR.exec(text.slice(at, at + SCALAR_CHARS_MAX)) ?? [];
  const end = at + (all?.length ?? 0);
  if (own !== undefined) return { start: end - own.length, end };
  const value = valueAt(text, at, ': ');
  return value && { start: value.start, end: value.end() };
}

/** What `key:` has in the block of YAML whose name's end is at `at`: in lines that are further in than the name. */
export function* keysInBlock(text: string, at: number): Generator<Span> {
  const [word, start] = BLOCKS.find(([word]) => text.startsWith(word, at)) ?? ['', ''];
  if (word === '' || !text.endsWith(start, at)) return;
  const end = endOf(text, at + word.length, ' \t');
  if (!'\r\n\\#'.includes(text[end] ?? ' ')) return;
  const name = at - start.length;
  const from = startOfIndent(text, name);
  if (from === undefined) return;
  // How far in what a line is in begins, from the block itself on: `jwt:`, `hs256:`, `key: …`.
  const columns = [name - from];
  // What is further in belongs to something else, unless that is called so.
  let skipped = Infinity;
  let line = nextLine(text, end);
  for (let lines = 0; line >= 0 && lines < BLOCK_LINES_MAX; lines += 1) {
    const own = endOfIndent(text, line);
    const column = own - line;
    if (column <= skipped && !isLineEnd(text, own) && text[own] !== '#') {
      while (columns.at(-1)! >= column) columns.pop();
      if (columns.length === 0) return;
      if (text.startsWith('key:', own)) {
        const value = valueBehind(text, endOf(text, own + 'key:'.length, ' \t'));
        if (value !== undefined) yield value;
      }
      const isOne = columns.length < DEPTH_MAX && OF_KEYS.test(text.slice(own, own + 16));
      skipped = isOne ? Infinity : column;
      if (isOne) columns.push(column);
    }
    line = nextLine(text, own);
  }
}
