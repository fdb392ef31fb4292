import { BLOCKS } from '../setting-signs.ts';

/** The key of a block of YAML whose name says what it is for: `encrypt:`, and in one of the next lines `key: …`. */

/** How far behind the name of a block its key may stand, lines and characters of each. */
const BLOCK_LINES_MAX = 8;
const LINE_CHARS_MAX = 120;

/** Lines of it that begin a block of secrets themselves. */
const SECRETS = ['secret', 'sign'];

/** Where some characters end that go on from `at`, and where blanks begin that end there. */
function endOf(text: string, at: number, chars: string): number {
  let end = at;
  while (chars.includes(text[end] ?? 'x')) end += 1;
  return end;
}
function startOf(text: string, at: number): number {
  let start = at;
  while (' \t'.includes(text[start - 1] ?? 'x')) start -= 1;
  return start;
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

/** Where the value begins of `key: …` in the block of YAML whose name's end is at `at`: in a line that is further in than the name. */
export function keyInBlock(text: string, at: number): number | undefined {
  const [word, start] = BLOCKS.find(([word]) => text.startsWith(word, at)) ?? ['', ''];
  if (word === '' || !text.endsWith(start, at)) return undefined;
  const end = endOf(text, at + word.length, ' \t');
  if (!'\r\n\\#'.includes(text[end] ?? ' ')) return undefined;
  const name = at - start.length;
  const from = startOf(text, name);
  const before = text[from - 1] ?? '\n';
  // Also of a diff, and of a text in marks.
  if (!'\n+-"\'`'.includes(before) && !(before === 'n' && text[from - 2] === '\\'))
    return undefined;
  // A diff's sign begins its line; behind another name it is a part of this one.
  if ('+-'.includes(before) && !'\nn"\'`'.includes(text[from - 2] ?? '\n')) return undefined;
  let line = nextLine(text, end);
  let children: number | undefined;
  let isSecret = false;
  for (let lines = 0; line >= 0 && lines < BLOCK_LINES_MAX; lines += 1) {
    const first = '+-'.includes(before) && text[line] === before ? line + 1 : line;
    const own = endOf(text, first, ' \t');
    const isEmpty = '\r\n\\'.includes(text[own] ?? '\n');
    if (own - first <= name - from && !isEmpty) return undefined;
    // What is further in belongs to something else, unless that is called so: `jwt:`, `secret:`, `key: …`.
    children ??= isEmpty ? undefined : own - first;
    const isChild = own - first === children && !isEmpty;
    if ((isChild || isSecret) && text.startsWith('key:', own))
      return endOf(text, own + 'key:'.length, ' \t');
    if (isChild) isSecret = SECRETS.some((one) => text.startsWith(one, own));
    line = nextLine(text, own);
  }
  return undefined;
}
