import { valueAt } from './assigned-value.ts';
import { isMnemonic, phraseAt } from './pass-phrase.ts';
import type { Span } from './rule.ts';
import { isToldPassword, isToldToken } from './values.ts';
import { isAlphanumeric, isSpace } from './word-char.ts';

/** `is hunter2-xyz`, `is: "hunter2-xyz"`; `scanner.wat` says the same. */
const IS = /^ is:? (?:now )?/;
/** What is read behind a name to see it, characters. */
const NEAR_CHARS = 16;
const BOLD = '**';
/** What ends a sentence, or a part of it. */
const PUNCTUATION = '.,:;!?)]}';
/** How much of a word is judged, characters; the rest of it goes with it. */
const JUDGED_CHARS_MAX = 256;

/** What HTML writes for a mark or a space; of `&amp;` a word may have more. */
const ENTITY = /^&(?!amp;)#?\w{2,6};/;
const ENTITY_CHARS_MAX = 9;

/** Whether a word of a sentence has the character at `at`. A mark or `>` is one where it goes on as no sentence does: `Kx9"q4`. */
function isOfWord(text: string, at: number): boolean {
  const char = text[at] ?? ' ';
  if ('"\'`>'.includes(char)) return isAlphanumeric(text.charCodeAt(at + 1));
  if (char === '&') return !ENTITY.test(text.slice(at, at + ENTITY_CHARS_MAX));
  return !isSpace(char.charCodeAt(0)) && !'<\\\x1b'.includes(char);
}

/** Where the word ends that begins at `start`, without what ends its sentence. */
export function wordEnd(text: string, start: number, chars = text.length): number {
  const limit = Math.min(text.length, start + chars);
  let end = start;
  while (end < limit && isOfWord(text, end)) end += 1;
  return withoutPunctuation(text, start, end);
}

function withoutPunctuation(text: string, start: number, end: number): number {
  let last = end;
  for (let chars = 1; chars > 0 && last > start; last -= chars) {
    // What is bold in Markdown ends with two of them, a password with one.
    if (text.startsWith(BOLD, last - BOLD.length)) chars = BOLD.length;
    else chars = PUNCTUATION.includes(text[last - 1]!) ? 1 : 0;
  }
  return Math.max(start, last);
}

/** What is said behind ` is `, without the sentence's end. */
function toldAt(
  text: string,
  end: number,
): (Span & { text: string; isQuoted: boolean }) | undefined {
  if (text[end + 1] !== 'i') return undefined;
  const is = IS.exec(text.slice(end, end + NEAR_CHARS))?.[0];
  const value = is === undefined ? undefined : valueAt(text, end + is.length, ' ');
  if (is === undefined || value === undefined) return undefined;
  const { quoted: isQuoted } = value;
  const valueEnd = value.start + value.text.length;
  const isBold = !isQuoted && value.text.startsWith(BOLD);
  const start = value.start + (isBold ? BOLD.length : 0);
  const toldEnd = isQuoted ? valueEnd : withoutPunctuation(text, start, valueEnd);
  return { start, end: toldEnd, text: text.slice(start, toldEnd), isQuoted };
}

/** A password as people tell it in a sentence: it has a digit, and is no word of code. @param end of its name */
export function toldValue(
  text: string,
  end: number,
  isOne: (value: string) => boolean = isToldPassword,
): Span | undefined {
  const told = toldAt(text, end);
  if (told === undefined) return undefined;
  const { start } = told;
  if (told.isQuoted) return isOne(told.text) ? { start, end: told.end } : undefined;
  // `&` ends a value of code, and none of a sentence: `ab&Kx9-Vb72`.
  const word = text.slice(start, wordEnd(text, start, JUDGED_CHARS_MAX));
  const isTold = isOne(told.text) || isOne(word.split(/[,;|=]/, 1)[0]!);
  return isTold ? { start, end: wordEnd(text, start) } : undefined;
}

/** `my token is 9f86…`: letters and digits, mixed as by a machine, and as long as no name is; or a wallet's words. @param end of its name */
export function toldToken(text: string, end: number): Span | undefined {
  const told = toldAt(text, end);
  const phrase = told && phraseAt(text, told.start);
  if (told && phrase !== undefined && isMnemonic(phrase))
    return { start: told.start, end: told.start + phrase.length };
  return told && isToldToken(told.text) ? { start: told.start, end: told.end } : undefined;
}
