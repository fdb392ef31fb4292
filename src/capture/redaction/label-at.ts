import { isLabelSuffix, SUFFIX_CHARS_MAX } from './label-suffixes.ts';
import { isAlphanumeric, isLetter } from './word-char.ts';

const isDigit = (char: string | undefined): boolean =>
  char !== undefined && char >= '0' && char <= '9';
const isJoint = (char: string | undefined): boolean => char === '_' || char === '-';

/** Whether it is that sign of a word, in any case: no other letter becomes one of ASCII's, as the Kelvin sign does. */
const isLetterOf = (code: number, char: string): boolean =>
  code === char.charCodeAt(0) || (isLetter(code) && (code | 0x20) === char.charCodeAt(0));

/** Where a word ends that begins at `at`, in any case of letters; -1 where it does not. */
function wordEnd(text: string, at: number, word: string): number {
  let end = at;
  for (const char of word) {
    if (char === '_') end += isJoint(text[end]) ? 1 : 0;
    else if (isLetterOf(text.charCodeAt(end), char)) end += 1;
    else return -1;
  }
  return end;
}

/** `?=`, `+=`, what a string is an argument behind, and `[]`, maybe with a number in it. */
function isPair(next: string, last: string): boolean {
  if (next === '[') return last === ']' || isDigit(last);
  return '?+'.includes(next) ? last === '=' : '({'.includes(next) && '"\''.includes(last);
}

/** Whether a value may stand behind a name that ends at `at`, which is no marker's. */
function isEnd(text: string, at: number): boolean {
  const next = text[at] ?? 'x';
  if (!'\\"\'`] \t:=%&\x1b'.includes(next) && !isPair(next, text[at + 1] ?? 'x')) return false;
  const before = text.slice(Math.max(0, at - MARKER_CHARS_MAX), at);
  return !before.includes('[') || !IN_MARKER.test(before);
}

/** A marker's beginning and its name. */
const MARKER_CHARS_MAX = 50;
const IN_MARKER = /\[REDACTED:[A-Z-]{0,40}$/i;

/** Where the suffix ends that begins at `at`; -1 where none does. */
function suffixEnd(text: string, at: number): number {
  let end = at + (isJoint(text[at]) ? 1 : 0);
  while (end - at < SUFFIX_CHARS_MAX && isAlphanumeric(text.charCodeAt(end))) end += 1;
  return end > at && isLabelSuffix(text.slice(at, end)) && isEnd(text, end) ? end : -1;
}

/** The label that begins at `at` with one of the words, a number or a suffix behind it included; undefined where none does. */
export function labelAt(text: string, at: number, words: readonly string[]): string | undefined {
  for (const word of words) {
    const end = wordEnd(text, at, word);
    if (end < 0) continue;
    const digits = end + (isJoint(text[end]) ? 1 : 0);
    for (let chars = 2; chars > 0; chars -= 1) {
      const isNumber = isDigit(text[digits]) && (chars === 1 || isDigit(text[digits + 1]));
      if (isNumber && isEnd(text, digits + chars)) return text.slice(at, digits + chars);
    }
    const suffixed = suffixEnd(text, end);
    if (suffixed > 0) return text.slice(at, suffixed);
    if (isEnd(text, end)) return text.slice(at, end);
  }
  return undefined;
}
