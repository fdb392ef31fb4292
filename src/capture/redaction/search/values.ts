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

const REST_OF_LINE = /[^\n\r]{0,4096}/y;

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
  REST_OF_LINE.lastIndex = from;
  const rest = REST_OF_LINE.exec(text)![0];
  const of = (value: string): Value => ({ start: from, end: from + value.length, value, form });
  const line = rest.replace(/(?:[ \t]+(?:#|\/\/).*)?[ \t]*$/, '');
  const whole = form === 'env' ? line : line.replace(/[,;]+$/, '');
  const word = /^\S*/.exec(rest)![0];
  // What separates this name from the one before it ends its value.
  const before = /[?&;,({[]\s?["']?$/.exec(
    text.slice(Math.max(0, nameStart - 3), nameStart),
  )?.[0]?.[0];
  const ends =
    before === undefined
      ? undefined
      : ({ '?': /[&#\s]/, '&': /[&#\s]/, ';': /[;"'\n]/ }[before] ?? /[,)}\]\s]/);
  const inLine =
    ends === undefined
      ? word
      : word.slice(0, Math.max(0, `${word}\n`.search(new RegExp(`${ends.source}|\\n`))));
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
  const trimmed = trimEnd(inLine);
  const plain = /^[^\s"'`<>,;&|(){}[\]\\]*/.exec(rest)![0];
  return [
    ...new Set(
      [
        ...(ends === undefined && (form === 'env' || !/\s/.test(whole)) ? [whole] : []),
        trimmed,
        plain,
      ].filter((one) => one !== ''),
    ),
  ].map(of);
}

const trimEnd = (value: string): string => {
  const cut = value.replace(/["'`]?(?:<\/.*|[,;)}\]"'`>]*)$/, '');
  return /[({[]/.test(cut) ? value : cut;
};

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
