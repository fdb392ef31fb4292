import { isAlphanumeric, isDigit, isUpper, isWordChar } from './word-char.ts';

/*
 * What tokens have behind signs that base64, words and names in code begin with, too: the others are signs enough, and it takes a hook 1.5 ms
 * to load the table and to ask it in vain. In plain code: V8 makes machine code of an expression that is used twice. Never false
 * where the table finds a token.
 */

/** How many characters of one kind stand from `from` on, as far as `text` goes. */
function runLength(text: string, from: number, isOne: (code: number) => boolean): number {
  let end = from;
  while (end < text.length && isOne(text.charCodeAt(end))) end += 1;
  return end - from;
}
const isHex = (code: number): boolean => isDigit(code) || (code >= 0x61 && code <= 0x66);
const isAnyHex = (code: number): boolean => isDigit(code) || isHex(code | 0x20);
const isBase64 = (code: number): boolean => isWordChar(code) || code === 0x2d;
const isUpperOrDigit = (code: number): boolean => isUpper(code) || isDigit(code);

/** Before and behind a bot's number. */
const isTelegram = (before: string | undefined): boolean => ':aA'.includes(before ?? ' ');

/** Three parts with 22 to 27 and 6 characters before the last. */
function isDiscord(start: string): boolean {
  if (start.indexOf('.') < 23) return false;
  const chars = runLength(start, 1, isAlphanumeric);
  const second = 1 + chars + '.'.length;
  return (
    chars >= 22 &&
    chars <= 27 &&
    start[second - 1] === '.' &&
    runLength(start.slice(0, second + 6), second, isBase64) === 6 &&
    start[second + 6] === '.'
  );
}

/** By what a token begins with, what it has behind that at least. */
const SHAPES: readonly (readonly [sign: string, isOne: (start: string) => boolean])[] = [
  ['SK', (start) => runLength(start, 2, isHex) >= 32],
  ['YC', (start) => runLength(start, 2, isBase64) === 38],
  ['packagi', (start) => start.startsWith('packagist_')],
  ['pat', (start) => '.-'.includes(start[3] ?? ' ') || runLength(start, 3, isAlphanumeric) >= 14],
  ['pk_', (start) => runLength(start, 3, isWordChar) >= 34],
  ['sk_', (start) => runLength(start, 3, isBase64) >= 20],
  ['re_', (start) => runLength(start, 3, isAlphanumeric) === 8],
  ['st.', (start) => runLength(start, 3, isHex) >= 24],
  ['napi_', (start) => runLength(start, 5, isAlphanumeric) >= 24],
  ['api-', (start) => runLength(start, 4, isAnyHex) === 8],
  ['KEY', (start) => runLength(start, 3, isUpperOrDigit) >= 32],
];
/** As much as they look at. */
const START_CHARS = 48;

/** Whether a token of the table may begin at the sign that the scanner found. */
export function isTokenStart(text: string, at: number): boolean {
  const start = text.slice(at, at + START_CHARS);
  if (start.startsWith('AA')) return isTelegram(text[at - 1]);
  if ('MNO'.includes(start[0] ?? ' ') && 'DTjz'.includes(start[1] ?? ' ')) return isDiscord(start);
  return SHAPES.find(([sign]) => start.startsWith(sign))?.[1](start) !== false;
}
