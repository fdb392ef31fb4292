import type { Span } from '../rule.ts';
import type { ValueForm } from './value-test.ts';

/** Where a value ends that begins here. */

const VALUE_CHARS_MAX = 4096;
const ITEMS_CHARS_MAX = 4096;
/** Quoted, or a word that ends its line. */
const ITEM =
  /\r?\n[ \t]{0,40}- {1,4}(?:(["'])([^\n]{1,512})\1|([^\s"'#:{[][^\s]{0,511}))[ \t]*(?=\r?\n|$)/y;

/** The items of a list in YAML, each on a line. */
export function* itemsOf(text: string, from: number): Generator<Span & { value: string }> {
  const lines = text.slice(from, from + ITEMS_CHARS_MAX);
  ITEM.lastIndex = 0;
  for (let item = ITEM.exec(lines); item !== null; item = ITEM.exec(lines)) {
    const value = item[2] ?? item[3]!;
    const start = from + item.index + item[0].lastIndexOf(value);
    yield { start, end: start + value.length, value };
  }
}

/** The strings of a list up to its end. */
export function* stringsOf(text: string, from: number): Generator<Span & { value: string }> {
  const inside = text.slice(from, from + 2048);
  const end = inside.indexOf(']');
  for (const match of inside
    .slice(0, end < 0 ? undefined : end)
    .matchAll(/(["'])((?:\\.|(?!\1)[^\\\n]){1,512})\1/g)) {
    const start = from + match.index + 1;
    yield { start, end: start + match[2]!.length, value: match[2]! };
  }
}

type Value = Span & { value: string; form: ValueForm };

/** The readings of a value that begins here, the longest first. */
export function valuesAt(
  text: string,
  from: number,
  nameStart: number,
  isQuotedOnly: boolean,
  form: ValueForm,
): Value[] {
  const quote = text[from];
  if (quote === '"' || quote === "'" || quote === '`') {
    const quoted = quotedAt(text, from, quote);
    if (quoted !== undefined) return [quoted];
  }
  if (isQuotedOnly) return [];
  const rest = restOfLine(text.slice(from, from + VALUE_CHARS_MAX));
  const of = (value: string): Value => ({ start: from, end: from + value.length, value, form });
  const word = /^\S*/.exec(rest)![0];
  // What separates this name from the one before it ends its value.
  const before = /[?&;,({[]\s?["']?$/.exec(
    text.slice(Math.max(0, nameStart - 3), nameStart),
  )?.[0]?.[0];
  const ends = before === undefined ? undefined : (ENDS[before] ?? /[,)}\]\s]/);
  const end = ends === undefined ? -1 : word.search(ends);
  const inLine = end < 0 ? word : word.slice(0, end);
  // A quotation mark before the name closes behind the value.
  const marks = /["'`](?:[-\w.]*)$/.exec(
    text.slice(Math.max(0, nameStart - 1), nameStart),
  )?.[0]?.[0];
  if (marks !== undefined) {
    const close = rest.indexOf(marks);
    if (close >= 0 && !/\s/.test(rest.slice(0, close)))
      return [
        of(form === 'env' ? rest.slice(0, close) : rest.slice(0, close).replace(/[,;]+$/, '')),
      ];
  }
  const whole = ends === undefined ? wholeLine(rest, word, form) : undefined;
  const plain = /^[^\s"'`<>,;&|(){}[\]\\]*/.exec(inLine === '' ? rest : word)![0];
  return [...new Set([whole, trimEnd(inLine), plain])]
    .filter((one): one is string => one !== undefined && one !== '')
    .map(of);
}

/** Plain searches are many times as fast as an expression. */
function restOfLine(text: string): string {
  const ends = [text.indexOf('\n'), text.indexOf('\r')].filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

/** What ends a value behind a parameter of a URL or a part of a cookie. */
const ENDS: Readonly<Record<string, RegExp>> = {
  '?': /[&#\s]/,
  '&': /[&#\s]/,
  ';': /[;"']/,
};

/** The line without its comment; undefined where it has words behind the first, which only a variable's value may have. */
function wholeLine(rest: string, word: string, form: ValueForm): string | undefined {
  if (form !== 'env')
    return /^[ \t]*(?:[ \t](?:#|\/\/)|$)/.test(rest.slice(word.length))
      ? word.slice(0, endWithout(word, ',;'))
      : undefined;
  const comment = rest.search(/[ \t](?:#|\/\/)/);
  const line = comment < 0 ? rest : rest.slice(0, comment);
  return line.slice(0, endWithout(line, ' \t'));
}

/** Where a text ends without some signs at its end. Expressions would try them at each of its places. */
function endWithout(text: string, signs: string): number {
  let end = text.length;
  while (end > 0 && signs.includes(text[end - 1]!)) end -= 1;
  return end;
}

const trimEnd = (value: string): string => {
  const tag = value.indexOf('</');
  const cut =
    tag < 0
      ? value.slice(0, endWithout(value, CLOSING))
      : value.slice(0, tag).replace(/["'`]$/, '');
  return /[({[]/.test(cut) ? value : cut;
};
const CLOSING = ',;)}]"\'`>';

function quotedAt(text: string, from: number, quote: string): Value | undefined {
  const triple = text.startsWith(quote.repeat(3), from) ? 3 : 1;
  const start = from + triple;
  const limit = Math.min(text.length, start + VALUE_CHARS_MAX);
  for (let at = start; at < limit; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === quote)
      return { start, end: at, value: text.slice(start, at), form: 'quoted' };
    else if (char === '\n' && triple === 1 && quote !== '`') break;
  }
  // It was cut: to the end of its line.
  const end = /[\n\s]|$/.exec(text.slice(start, limit))!.index + start;
  return { start, end, value: text.slice(start, end), form: 'quoted' };
}
