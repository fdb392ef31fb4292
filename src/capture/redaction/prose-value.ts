import { valueAt } from './assigned-value.ts';
import { isMnemonic, phraseAt } from './pass-phrase.ts';
import type { Span } from './rule.ts';
import { isToldPassword, isToldToken } from './values.ts';
import { isSpace } from './word-char.ts';

/** `is hunter2-xyz`, `is: "hunter2-xyz"`; `scanner.wat` says the same. */
const IS = /^ is:? (?:now )?/;
/** What is read behind a name to see it, characters. */
const NEAR_CHARS = 16;
/** What ends a sentence, or a part of it. */
const PUNCTUATION = '.,:;!?)]}';
/** What ends a word of a sentence, beside white space: marks, tags and escapes. */
const WORD_ENDS = '"\'`<>\\\x1b';
/** How much of a word is judged, characters; the rest of it goes with it. */
const JUDGED_CHARS_MAX = 256;

/** Where the word ends that begins at `start`, without what ends its sentence. */
function wordEnd(text: string, start: number, chars = text.length): number {
  const limit = Math.min(text.length, start + chars);
  let end = start;
  while (end < limit && !isSpace(text.charCodeAt(end)) && !WORD_ENDS.includes(text[end]!)) end += 1;
  return withoutPunctuation(text, start, end);
}

function withoutPunctuation(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && PUNCTUATION.includes(text[last - 1]!)) last -= 1;
  return last;
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
  const { start, quoted: isQuoted } = value;
  const valueEnd = start + value.text.length;
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
  const isTold = isOne(told.text) || isOne(word.split(/[,;|]/, 1)[0]!);
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
