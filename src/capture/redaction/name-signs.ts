import { expression } from './expression.ts';
import { hasAny, isDigit, isSpace, isWordChar } from './word-char.ts';

/*
 * What stands where a name and its value are without `=` or `:` between them (`table/named-rules.ts`), in plain code: code and prose are
 * full of their signs (`value:`, `set(`, `identified by`). The first expression that a hook uses costs it some 0.4 ms, and V8 makes
 * machine code of one that is used twice. Never false where `NAMED` matches.
 */

/** Parts of every label, in small letters. */
const LABEL_PARTS = 'pass pwd secret token credential key authorization cookie salt'.split(' ');
export const holdsLabelPart = (lower: string): boolean =>
  LABEL_PARTS.some((part) => lower.includes(part));

/** The last word of a name whose value is a secret; `pass` besides, with up to six letters behind it. */
const LABELS = 'pwd,secret,token,credential,credentials,key,authorization,cookie'.split(',');
/** The longest: `authorization` and two digits. */
const LABEL_CHARS_MAX = 15;
/** `pass` and the letters behind it. */
const PASS_CHARS_MAX = 10;

export const LABEL = String.raw`(?:pass\w{0,6}|${LABELS.join('|')})\d?\d?`;
const NAME = String.raw`[\w.:/-]*${LABEL}`;
const CALLS = 'set|env|header|property|define|variable|setitem';
/** Quotation marks, also inside JSON inside JSON. */
const MARKS = '["\'`\\\\]+';

/**
 * What begins with the sign of a value that belongs to a name, and what stands before it. In this order: `name: "…"` before
 * `value:` and in tags; the end of a tag; a label before `&quot;`; behind `set(` and `env `; statements; a Kubernetes
 * secret's manifest. Nothing is bounded: only a few characters are seen.
 */
export const NAMED = expression(
  String.raw`(?<=${LABEL}:?\s*(?=["'\`\\<\r\n])(?:[^\w=]|\\[nrt]|/name|/key)+) ?(?:value(?:${MARKS})?\s*[:=]\s*[^\s{(\x5b]|(?:value|string)>)|(?:(?<=[/"'][\w:.-]*passwo)rd|(?<=[/"'][\w:.-]*p(?:ass)?)wd|(?<=[/"'][\w:.-]*)(?:secret|token|key))"?>|(?<=${LABEL})&|(?:${CALLS})\(\s*${MARKS}(?:${NAME}|\w+_salt)${MARKS}\s*,\s*["'\`\\%&]|(?:set -+\w+|env|setx|_header|define)\s+(?:(?:/m|-+\w+)\s+){0,3}${NAME}\s|identified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?(?:[\\"'&%\x1b]|[^\s\`]*\d)|secure|(?<=pass)word(?: '|\(["'\`\\%&])|(?<=kind["'\\ \t]*:["'\\ \t]*)Secret\b`,
  'iy',
);
/** Whether the word that ends at `end` is a label, or ends with one. */
function isLabelEnd(text: string, end: number): boolean {
  let from = end;
  while (end - from < LABEL_CHARS_MAX && isWordChar(text.charCodeAt(from - 1))) from -= 1;
  const name = text.slice(from, end).toLowerCase();
  let chars = name.length;
  // Of these characters only digits come before `A`.
  while (name.length - chars < 2 && (name[chars - 1] ?? 'a') < 'A') chars -= 1;
  const pass = name.lastIndexOf('pass');
  if (pass >= 0 && chars - pass <= PASS_CHARS_MAX) return true;
  return LABELS.some((label) => name.endsWith(label, chars));
}

/**
 * Where the telling name ends that a text ends with, but for marks and tags behind it; -1 where there is none:
 * `LABEL(?:[^\w=]|\\[nrt]|/name|/key)*` at its end, where `/key` is a label itself.
 */
function nameEnd(text: string): number {
  if (!holdsLabelPart(text.toLowerCase())) return -1;
  let end = text.length;
  for (let chars = 1; chars > 0; end -= chars) {
    const last = text.charCodeAt(end - 1);
    if (!isWordChar(last)) chars = end > 0 && last !== 0x3d ? 1 : 0;
    else if (text[end - 2] === '\\') chars = 'nrtNRT'.includes(text[end - 1] ?? ' ') ? 2 : 0;
    else chars = text.slice(end - 5, end).toLowerCase() === '/name' ? 5 : 0;
  }
  return isLabelEnd(text, end) ? end : -1;
}
export const endsWithName = (text: string): boolean => nameEnd(text) >= 0;

/** Whether the name that the text ends with is in marks, in a tag or at its line's end: `key, value` are two variables. */
function endsWithMarkedName(text: string): boolean {
  let at = nameEnd(text);
  if (at < 0) return false;
  // The end of `<key>api_token</key>`.
  if (text.endsWith('/key', at)) return true;
  if (text[at] === ':') at += 1;
  for (; isSpace(text.charCodeAt(at)); at += 1) if ('\r\n'.includes(text[at]!)) return true;
  return '"\'`\\<'.includes(text[at] ?? ' ');
}

/** How many words may stand from `env`, `setx` or `set -` on up to the name. */
const WORDS_MAX = 6;

/** Whether the first argument of a call is a telling name in marks, as is what follows it. */
function isCallWithName(args: string): boolean {
  if (!'"\'`\\'.includes(args.trimStart()[0] ?? ' ')) return false;
  const comma = args.indexOf(',');
  return (
    comma >= 0 &&
    (endsWithName(args.slice(0, comma)) || args.toLowerCase().includes('_salt')) &&
    '"\'`\\%&'.includes(args.slice(comma + 1).trimStart()[0] ?? '%')
  );
}

/** `setx /m DB_PASSWORD hunter2`: whether one of the words is a telling name. */
function isBeforeName(behind: string): boolean {
  let start = 0;
  for (let words = 0; words < WORDS_MAX && start < behind.length; words += 1) {
    let end = start;
    while (end < behind.length && !isSpace(behind.charCodeAt(end))) end += 1;
    if (end < behind.length && isLabelEnd(behind, end)) return true;
    start = end + 1;
    while (isSpace(behind.charCodeAt(start))) start += 1;
  }
  return false;
}

/** `identified by "…"`, `identified with mysql_native_password by 'x1'` */
function isIdentified(behind: string): boolean {
  let rest = behind.slice('identified'.length).trimStart();
  const skip = (word: string): boolean => {
    const isThere = rest.startsWith(word) && isSpace(rest.charCodeAt(word.length));
    if (isThere) rest = rest.slice(word.length).trimStart();
    return isThere;
  };
  if (skip('with')) while (rest !== '' && !isSpace(rest.charCodeAt(0))) rest = rest.slice(1);
  rest = rest.trimStart();
  if (!skip('by') && !skip('as')) return false;
  skip('password');
  let end = 0;
  while (end < rest.length && !isSpace(rest.charCodeAt(end)) && rest[end] !== '`') end += 1;
  return '\\"\'&%\x1b'.includes(rest[0] ?? ' ') || hasAny(rest.slice(0, end), isDigit);
}

/** What may stand between `kind` and `Secret`. */
const AROUND_COLON = '"\'\\ \t';
function isBehindKind(before: string): boolean {
  let at = before.length;
  while (AROUND_COLON.includes(before[at - 1] ?? '-')) at -= 1;
  if (before[at - 1] !== ':') return false;
  at -= 1;
  while (AROUND_COLON.includes(before[at - 1] ?? '-')) at -= 1;
  return before.endsWith('kind', at);
}

/** Whether the word before the text's end is an XML element's or an attribute's: behind `/` or a mark. */
function isTagName(before: string): boolean {
  let at = before.length;
  while (isWordChar(before.charCodeAt(at - 1)) || ':.-'.includes(before[at - 1] ?? ' ')) at -= 1;
  return '/"\''.includes(before[at - 1] ?? ' ');
}

/** Ends of tags, and what stands before their beginnings. */
const TAG_ENDS: Readonly<Record<string, readonly string[]>> = {
  rd: ['passwo'],
  wd: ['pass', 'p'],
  secret: [''],
  token: [''],
  key: [''],
};

/**
 * Whether a name may stand where the sign of a named value has it. Both in small letters.
 * @param before what stands before the sign
 * @param behind from the sign on
 */
export function mayBeNamed(before: string, behind: string): boolean {
  let end = 0;
  while (isWordChar(behind.charCodeAt(end))) end += 1;
  const word = behind.slice(0, end);
  if (word === 'word') return before.endsWith('pass');
  if (word === 'identified') return isIdentified(behind);
  if (word.startsWith('secure') || (word === 'secret' && isBehindKind(before))) return true;
  if (behind[end] === '(') return isCallWithName(behind.slice(end + 1));
  if (behind[0] === '&') return endsWithName(before);
  if (word === 'value' || word === 'string' || behind[0] === ' ') return endsWithMarkedName(before);
  const tag = TAG_ENDS[word];
  if (tag !== undefined && '">'.includes(behind[end] ?? ' '))
    return isTagName(before) && tag.some((start) => before.endsWith(start));
  return isBeforeName(behind);
}
