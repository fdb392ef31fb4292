import { expression } from './expression.ts';
import { hasAny, isDigit, isSpace, isWordChar } from './word-char.ts';

/** `: admin / hunter2`, and before it marks. */
const USER = String.raw`(?: as| with)?(?: are| is)?[\\"'\`*:]{0,6} {1,4}[\\"'\`*]{0,6}[\w.@+-]{2,64}[\\"'\`*]{0,6}`;
/** What begins with the sign of a phrase of `table/phrase-rules.ts`, and what stands before it. */
export const PHRASE = expression(
  String.raw`log ?ins?${USER} / \S*\d|(?:credentials|creds|(?:[/&] ?|and )p(?:ass(?:word)?|wd?))${USER} ?[/:,] ?\S*\d|(?:login|auth|rkcredential(?:\]::new)?)\(\s*(?:"[^"\n]*"|'[^'\n]*'|[\w.]+),\s*["']|(?:mnemonic|phrase)\(\s*["'\`\\]+[a-z]+ [a-z]+ |secret[ _-]?id\W{1,45}[\da-f]{8}-|(?:password|secret) [07] \S{4}|password (?:for|of|is|was|has|been|now|temporarily|automatically|randomly|generated|created|set|reset|changed|to|as)[ :][^\n]*\d|fill\(["'][^\n"']*passw[^\n"']*["'], *["']|(?<=passw[^\n]{0,30})(?:fill|type|send_?keys)\(["']|(?<=assword[^\n]{0,12}\s{1,8})send |(?<=insecure-|passwd/[\w-]*)password |(?<=(?:with|using) (?:[\w-]+ ){0,2})password \S*\d|(?<=set )password for [^\n]*=|(?<=following (?:[\w-]+ ){0,2})password [^\n]*:`,
  'iy',
);
const PHRASE_CHARS_MAX = 200;
export const PHRASE_BEFORE_CHARS_MAX = 40;

/** Whether a digit stands in the word that begins there, behind a space or not. */
function hasDigitNext(text: string, at: number): boolean {
  for (let end = text[at] === ' ' ? at + 1 : at; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (isDigit(code)) return true;
    if (isSpace(code)) return false;
  }
  return false;
}

const isUserChar = (char: string | undefined): boolean =>
  char !== undefined && ('.@+-'.includes(char) || isWordChar(char.charCodeAt(0)));
const MARKS = '\\"\'`*: ';
/** What may stand between the word and the user. */
const JOINTS = ['as', 'with', 'are', 'is'];

/** Whether from there on a user is told, and beside it what has a digit: ` admin / x1`, `: me@x.com, x1`. */
function isBesideUser(text: string, at: number): boolean {
  let from = at;
  while (MARKS.includes(text[from] ?? '-')) from += 1;
  if (from === at) return false;
  let end = from;
  while (isUserChar(text[end])) end += 1;
  if (JOINTS.includes(text.slice(from, end))) return true;
  while (MARKS.includes(text[end] ?? '-')) {
    if (text[end] === ':' && hasDigitNext(text, end + 1)) return true;
    end += 1;
  }
  return '/,'.includes(text[end] ?? ' ') && hasDigitNext(text, end + 1);
}

/** Words behind `password` after which it is told; `0` and `7` as Cisco's devices write it. */
const TELLING =
  'for of is was has been now temporarily automatically randomly generated created set reset changed to as 0 7'.split(
    ' ',
  );

/** Behind `password `: `for x: 1`, and `x1` behind what sets one. */
function isTold(before: string, behind: string): boolean {
  const from = 'password '.length;
  if (before.endsWith('insecure-') || before.includes('passwd/') || before.includes('following '))
    return true;
  let end = from;
  while (isUserChar(behind[end])) end += 1;
  if (TELLING.includes(behind.slice(from, end))) return true;
  return (before.includes('with ') || before.includes('using ')) && hasDigitNext(behind, from);
}

/** How what types a password into something begins. */
const TYPES: ReadonlySet<string> = new Set(['fill', 'type', 'send']);
/** What a phrase is told of, without its user. */
const SUBJECTS = ['credentials', 'creds', 'password', 'pass', 'pwd', 'pw'];

/** What `PHRASE` cannot do without: most places fail here, as prose of passwords and logins. */
export function mayBePhrase(before: string, behind: string): boolean {
  const lower = behind.toLowerCase();
  // Code calls `fill()` of buffers, too.
  if (TYPES.has(lower.slice(0, 4))) return `${before}${behind}`.toLowerCase().includes('assw');
  if (lower.startsWith('log') && !lower.startsWith('login(')) {
    const slash = lower.indexOf(' / ');
    return slash > 0 && hasDigitNext(lower, slash + 2);
  }
  if (lower.startsWith('password ')) return isTold(before.toLowerCase(), lower);
  const joint = ['and ', '/ ', '& ', '/', '&', ''].find((start) => lower.startsWith(start)) ?? '';
  const subject = SUBJECTS.find((word) => lower.startsWith(word, joint.length));
  if (subject === undefined) return true;
  return isBesideUser(lower, joint.length + subject.length);
}

/** All that is told so has a digit, or is an argument; most sentences have none. */
export function isPhrase(text: string, at: number): boolean {
  const behind = text.slice(at, at + PHRASE_CHARS_MAX);
  const before = text.slice(Math.max(0, at - PHRASE_BEFORE_CHARS_MAX), at);
  if (!mayBePhrase(before, behind) || !hasAny(behind, isSignOfValue)) return false;
  PHRASE.lastIndex = before.length;
  return PHRASE.test(before + behind);
}
const isSignOfValue = (code: number): boolean =>
  isDigit(code) || code === 0x28 || code === 0x3d || code === 0x22;
