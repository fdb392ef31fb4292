import { valueAt } from './assigned-value.ts';
import { isMnemonic, phraseAt } from './pass-phrase.ts';
import type { Span } from './rule.ts';
import { isToldPassword, isToldToken } from './values.ts';
import { isAlphanumeric, isSpace, isWordChar } from './word-char.ts';

/** `is hunter2-xyz`, `is: "hunter2-xyz"`; `scanner.wat` says the same. */
const IS = /^ is:? (?:now )?/;
/** What is read behind a name to see it, characters. */
const NEAR_CHARS = 16;
const BOLD = '**';
/** What ends a sentence, or a part of it. */
const PUNCTUATION = '.,:;!?)]}';
/** The same in other scripts and in print, and what stands between words unseen. */
const FOREIGN_PUNCTUATION = '，。；：！？、…—“”‘’\u200b';
/** How much of a word is judged, characters; the rest of it goes with it. */
const JUDGED_CHARS_MAX = 256;

/** What HTML writes for a mark or a space; of `&amp;` a word may have more. */
const ENTITY = /^&(?:quot|apos|[lg]t|nbsp|[lr][sd]quo|hellip|[mn]dash|#\d{2,5}|#x[\da-f]{2,5});/i;
const ENTITY_CHARS_MAX = 9;

/** Whether a word of a sentence has the character at `at`. A mark or `>` is one where it goes on as no sentence does: `Kx9"q4`. */
function isOfWord(text: string, at: number): boolean {
  const char = text[at] ?? ' ';
  if ('"\'`>'.includes(char)) return isAlphanumeric(text.charCodeAt(at + 1));
  if (char === '&') return !ENTITY.test(text.slice(at, at + ENTITY_CHARS_MAX));
  return char > ' ' && !isSpace(char.charCodeAt(0)) && !`<\\${FOREIGN_PUNCTUATION}`.includes(char);
}

/** Where the word ends that begins at `start`, without what ends its sentence. */
function wordEnd(text: string, start: number, isBold: boolean, chars = text.length): number {
  const limit = Math.min(text.length, start + chars);
  let end = start;
  while (end < limit && isOfWord(text, end)) end += 1;
  return withoutPunctuation(text, start, end, isBold);
}

/** What is bold ends with its stars, whatever sentence goes on. */
function withoutPunctuation(text: string, start: number, end: number, isBold: boolean): number {
  let last = end;
  if (isBold) {
    const stars = text.lastIndexOf(BOLD, end);
    if (stars > start) return stars;
  }
  while (last > start && PUNCTUATION.includes(text[last - 1]!)) last -= 1;
  return last;
}

/** How much of a token is judged, characters. */
const TOKEN_CHARS_MAX = 514;
/** What a token's first part is. */
const TOKEN = /^(?:[\w+/-]|%(?:2[bBfF]|3[dD])){16,512}={0,2}/;
/** Percent-encoded, but for what ends a value: `&`, `"`, `'`, `;` and white space. */
const ENCODED = /^%(?!2[267]|20|0[ad]|3b)[\da-f]{2}/i;
const isOfToken = (code: number): boolean =>
  isWordChar(code) || '+/-'.includes(String.fromCharCode(code));

/** The token that begins at `start`, judged by its first part; all of its parts go: `id.secret`, `9f86…%3D%3D`. */
export function tokenAt(text: string, start: number): Span | undefined {
  const first = TOKEN.exec(text.slice(start, start + TOKEN_CHARS_MAX))?.[0] ?? '';
  if (!isToldToken(first.replace(/%../g, '+'))) return undefined;
  let end = start + first.length;
  for (let chars = 1; chars > 0; end += chars) {
    const isJoint = '.:~!$'.includes(text[end] ?? ' ');
    if (isOfToken(text.charCodeAt(isJoint ? end + 1 : end))) chars = 1;
    else chars = ENCODED.test(text.slice(end, end + 3)) ? 3 : 0;
  }
  return { start, end };
}

interface Told extends Span {
  text: string;
  isQuoted: boolean;
  isBold: boolean;
}

/** What is said behind ` is `, without the sentence's end. */
function toldAt(text: string, end: number): Told | undefined {
  if (text[end + 1] !== 'i') return undefined;
  const is = IS.exec(text.slice(end, end + NEAR_CHARS))?.[0];
  const value = is === undefined ? undefined : valueAt(text, end + is.length, ' ');
  if (is === undefined || value === undefined) return undefined;
  const isQuoted = value.quoted && value.closed;
  const isBold = !isQuoted && value.text.startsWith(BOLD);
  const start = value.start + (isBold ? BOLD.length : 0);
  const valueEnd = value.start + value.text.length;
  const toldEnd = isQuoted ? valueEnd : withoutPunctuation(text, start, valueEnd, isBold);
  return { start, end: toldEnd, text: text.slice(start, toldEnd), isQuoted, isBold };
}

/** A password as people tell it in a sentence: it has a digit, and is no word of code. @param end of its name */
export function toldValue(
  text: string,
  end: number,
  isOne: (value: string) => boolean = isToldPassword,
): Span | undefined {
  const told = toldAt(text, end);
  if (told === undefined) return undefined;
  const { start, isBold } = told;
  if (told.isQuoted) return isOne(told.text) ? { start, end: told.end } : undefined;
  // `&` ends a value of code, and none of a sentence: `ab&Kx9-Vb72`.
  const word = text.slice(start, wordEnd(text, start, isBold, JUDGED_CHARS_MAX));
  // What is bold is no count of something.
  const isTold = isOne((isBold ? BOLD : '') + told.text) || isOne(word.split(/[,;|=]/, 1)[0]!);
  return isTold ? { start, end: wordEnd(text, start, isBold) } : undefined;
}

/** `my token is 9f86…`: letters and digits, mixed as by a machine, and as long as no name is; or a wallet's words. @param end of its name */
export function toldToken(text: string, end: number): Span | undefined {
  const told = toldAt(text, end);
  if (told === undefined) return undefined;
  const phrase = phraseAt(text, told.start);
  if (phrase !== undefined && isMnemonic(phrase))
    return { start: told.start, end: told.start + phrase.length };
  if (!told.isQuoted) return tokenAt(text, told.start);
  return isToldToken(told.text) ? { start: told.start, end: told.end } : undefined;
}
