import { valueAt } from './assigned-value.ts';
import { isMnemonic, phraseAt } from './pass-phrase.ts';
import type { Span } from './rule.ts';
import { isToldPassword, isToldToken } from './values.ts';

/** `is hunter2-xyz`, `is: "hunter2-xyz"`; `scanner.wat` says the same. */
const IS = /^ is:? (?:now )?/;
/** What is read behind a name to see it, characters. */
const NEAR_CHARS = 16;
/** What is said behind ` is `, without the sentence's end. */
function toldAt(text: string, end: number): (Span & { text: string }) | undefined {
  if (text[end + 1] !== 'i') return undefined;
  const is = IS.exec(text.slice(end, end + NEAR_CHARS))?.[0];
  const value = is === undefined ? undefined : valueAt(text, end + is.length, ' ');
  if (is === undefined || value === undefined) return undefined;
  const told = value.quoted ? value.text : value.text.replace(/[.,:!?]+$/, '');
  return { start: value.start, end: value.start + told.length, text: told };
}

/** A password as people tell it in a sentence: it has a digit, and is no word of code. @param end of its name */
export function toldValue(text: string, end: number): Span | undefined {
  const told = toldAt(text, end);
  if (told === undefined) return undefined;
  return isToldPassword(told.text) ? { start: told.start, end: told.end } : undefined;
}

/** `my token is 9f86…`: letters and digits, mixed as by a machine, and as long as no name is; or a wallet's words. @param end of its name */
export function toldToken(text: string, end: number): Span | undefined {
  const told = toldAt(text, end);
  const phrase = told && phraseAt(text, told.start);
  if (told && phrase !== undefined && isMnemonic(phrase))
    return { start: told.start, end: told.start + phrase.length };
  return told && isToldToken(told.text) ? { start: told.start, end: told.end } : undefined;
}
