import { expression } from './expression.ts';
import { isSpace, isWordChar } from './word-char.ts';

/*
 * Whether a name stands where a sign has it whose value belongs to that name. Nearly all of these signs stand in ordinary text
 * without one, and to make the expression takes a hook longer than all else: what it cannot do without is asked in plain code.
 */

/** The last word of a name whose value is a secret. */
const LABELS = 'pwd,secret,token,credential,credentials,key,authorization,cookie'.split(',');
export const LABEL = String.raw`(?:pass\w{0,6}|${LABELS.join('|')})\d?\d?`;
/** The longest: `authorization` and two digits. */
const LABEL_CHARS_MAX = 15;
/** `pass` and the letters behind it. */
const PASS_CHARS_MAX = 10;
const NAME = String.raw`[\w.:/-]*${LABEL}`;
/** Quotation marks, also inside JSON inside JSON. */
const MARKS = '["\'`\\\\]+';

/**
 * What begins with the sign of a value that belongs to a name, and what stands before it. In this order: `name: "…"` before
 * `value:` and in tags; the end of a tag; a label before `&quot;`; behind `set(` and `env `; statements; a Kubernetes
 * secret's manifest. Nothing is bounded: only a few characters are seen.
 */
export const NAMED = expression(
  String.raw`(?<=${LABEL}\s*(?=["'\`\\<\r\n])(?:[^\w=]|\\[nrt]|/name|/key)+) ?(?:value(?:${MARKS})?\s*[:=]\s*[^\s{(\x5b]|(?:value|string)>)|(?:(?<=[/"'][\w:.-]*passwo)rd|(?<=[/"'][\w:.-]*p(?:ass)?)wd|(?<=[/"'][\w:.-]*)(?:secret|token|key))"?>|(?<=${LABEL})&|\w+\(\s*${MARKS}${NAME}${MARKS}\s*,\s*["'\`\\%&]|(?:set -+\w+|env|setx|_header|define)\s+(?:(?:/m|-+\w+)\s+){0,3}${NAME}\s|identified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?(?:[\\"'&%\x1b]|[^\s\`]*\d)|secure|(?<=pass)word(?: '|\(["'\`\\%&])|(?<=kind["'\\ \t]*:["'\\ \t]*)Secret\b`,
  'iy',
);
const AROUND_CHARS_MAX = 120;

const isMark = (char: string | undefined): boolean => char !== undefined && '"\'`\\'.includes(char);
const isNamePart = (char: string | undefined): boolean =>
  char !== undefined && ('.:/-'.includes(char) || isWordChar(char.charCodeAt(0)));
const isWhiteSpace = (char: string | undefined): boolean =>
  char !== undefined && isSpace(char.charCodeAt(0));

/** Where what `isOne` tells of characters ends, from `at` on. */
function past(text: string, at: number, isOne: (char: string | undefined) => boolean): number {
  let end = at;
  while (isOne(text[end])) end += 1;
  return end;
}

/** Whether a text of word characters ends with a telling name. */
function isName(text: string): boolean {
  const name = text.slice(-LABEL_CHARS_MAX).toLowerCase();
  let chars = name.length;
  // Of these characters only digits come before `A`.
  while (name.length - chars < 2 && (name[chars - 1] ?? 'a') < 'A') chars -= 1;
  const pass = name.lastIndexOf('pass');
  if (pass >= 0 && chars - pass <= PASS_CHARS_MAX) return true;
  return LABELS.some((label) => name.endsWith(label, chars));
}

/** Where the name begins and ends that stands last in the text, but for marks and tags behind it. */
function lastName(text: string): { from: number; end: number } {
  let end = text.length;
  for (let chars = 1; chars > 0; end -= chars) {
    const last = text.charCodeAt(end - 1);
    if (!isWordChar(last)) chars = end > 0 && last !== 0x3d ? 1 : 0;
    else if (text[end - 2] === '\\') chars = 'nrtNRT'.includes(text[end - 1] ?? ' ') ? 2 : 0;
    else chars = text.slice(end - 5, end).toLowerCase() === '/name' ? 5 : 0;
  }
  let from = end;
  while (end - from < LABEL_CHARS_MAX && isWordChar(text.charCodeAt(from - 1))) from -= 1;
  return { from, end };
}

/**
 * Whether the text ends with a telling name, but for marks and tags behind it:
 * `LABEL(?:[^\w=]|\\[nrt]|/name|/key)*` at its end, where `/key` is a label itself.
 */
export function endsWithName(text: string): boolean {
  const { from, end } = lastName(text);
  return isName(text.slice(from, end));
}

/** The same of a name that `value:` belongs to: a mark, a tag or a line's end is behind it. */
function endsWithMarkedName(text: string): boolean {
  const { from, end } = lastName(text);
  if (!isName(text.slice(from, end))) return false;
  const behind = past(text, end, isWhiteSpace);
  const between = text.slice(end, behind);
  return (
    text[from - 1] === '/' ||
    between.includes('\n') ||
    between.includes('\r') ||
    text[behind] === '<' ||
    isMark(text[behind])
  );
}

/** `value": "x`, `value="x`, `value>` */
function isValueSign(behind: string, at: number): boolean {
  if (behind[at] === '>') return true;
  const sign = past(behind, past(behind, at, isMark), isWhiteSpace);
  if (behind[sign] !== ':' && behind[sign] !== '=') return false;
  return !'{(['.includes(behind[past(behind, sign + 1, isWhiteSpace)] ?? '{');
}

/** From behind its bracket on: `'API_TOKEN', 'x` */
function isCallWithName(behind: string, at: number): boolean {
  const mark = past(behind, at, isWhiteSpace);
  const name = past(behind, mark, isMark);
  const end = past(behind, name, isNamePart);
  if (name === mark || !isMark(behind[end]) || !isName(behind.slice(name, end))) return false;
  const comma = past(behind, past(behind, end, isMark), isWhiteSpace);
  const value = behind[past(behind, comma + 1, isWhiteSpace)];
  return behind[comma] === ',' && (isMark(value) || value === '%' || value === '&');
}

/** From behind its first word on: ` -x API_TOKEN `, ` /m TOKEN ` */
function isStatementWithName(behind: string, at: number): boolean {
  let from = past(behind, at, isWhiteSpace);
  for (;;) {
    const end = past(behind, from, isNamePart);
    if (end === from || !isWhiteSpace(behind[end])) return false;
    if (isName(behind.slice(from, end))) return true;
    if (behind[from] !== '-' && behind[from] !== '/') return false;
    from = past(behind, end, isWhiteSpace);
  }
}

/** From behind its word on, as SQL has it: ` with x by 'v`, ` as v1` */
function isIdentified(behind: string, at: number): boolean {
  let from = past(behind, at, isWhiteSpace);
  const skip = (word: string) => {
    if (behind.slice(from, from + word.length).toLowerCase() !== word) return false;
    const space = from + word.length;
    const next = past(behind, space, isWhiteSpace);
    if (next > space) from = next;
    return next > space;
  };
  if (skip('with')) from = past(behind, past(behind, from, isInWord), isWhiteSpace);
  if (!skip('by') && !skip('as')) return false;
  skip('password');
  for (; isInWord(behind[from]) && behind[from] !== '`'; from += 1)
    if ('\\"\'&%\x1b0123456789'.includes(behind[from]!)) return true;
  return false;
}
const isInWord = (char: string | undefined): boolean => char !== undefined && !isWhiteSpace(char);

/** The name of a tag that is closed, or a name in marks: `</ns:db.` before `secret>`. */
function beginsTagEnd(before: string): boolean {
  let at = before.length - 1;
  while (before[at] !== '/' && isNamePart(before[at])) at -= 1;
  return '/"\''.includes(before[at] ?? ' ');
}

/** Statements whose name is not in a call. */
const STATEMENTS = ['env', 'setx', 'set', '_header', 'define'];

/** What `NAMED` cannot do without: most places fail here. */
export function mayBeNamed(before: string, behind: string): boolean {
  const end = past(behind, behind[0] === ' ' ? 1 : 0, isLabelChar);
  const sign = behind.slice(0, end).trim().toLowerCase();
  const next = behind[end];
  if (sign.startsWith('secure')) return true;
  if (sign === 'secret' && before.toLowerCase().includes('kind')) return true;
  if (sign === 'value') return isValueSign(behind, end) && endsWithMarkedName(before);
  if (sign === 'string') return endsWithMarkedName(before);
  if (sign === '') return endsWithName(before);
  if (next === '>' || (next === '"' && behind[end + 1] === '>')) return beginsTagEnd(before);
  if (sign === 'identified') return isIdentified(behind, end);
  if (sign === 'word' && before.slice(-4).toLowerCase() === 'pass') return true;
  if (next === '(') return isCallWithName(behind, end + 1);
  if (!STATEMENTS.includes(sign)) return false;
  return isStatementWithName(behind, sign === 'set' ? pastOption(behind, end) : end);
}
const isLabelChar = (char: string | undefined): boolean =>
  char !== undefined && isWordChar(char.charCodeAt(0));
/** `set -x`: fish has at least one. */
const pastOption = (behind: string, at: number): number =>
  past(
    behind,
    past(behind, at + 1, (char) => char === '-'),
    isLabelChar,
  );

/** `**`: a name in bold. */
const BOLD = '**';
/** `subscription key`, `secret**` */
const SPACED_CHARS_MAX = 16;

/** As long as no word is, characters. */
const LONG_CHARS_MIN = 20;

function hasLongRun(text: string): boolean {
  let run = 0;
  for (let at = 0; at < text.length && run < LONG_CHARS_MIN; at += 1)
    run = text[at] === '-' || isLabelChar(text[at]) ? run + 1 : 0;
  return run === LONG_CHARS_MIN;
}

/** Whether a value is assigned to the name that ends with ` key` or with `**`; undefined where none does. */
function isSpacedName(behind: string): boolean | undefined {
  const key = behind.slice(0, SPACED_CHARS_MAX).toLowerCase().indexOf(' key');
  const bold = key < 0 ? behind.slice(0, SPACED_CHARS_MAX).indexOf(BOLD) : -1;
  if (key < 0 && bold < 0) return undefined;
  let at = key < 0 ? bold : key + ' key'.length;
  // `Unseal Key 1`, `API Key**`, `Secret Access Key [None]`
  while (' *`0123456789'.includes(behind[at] ?? '-')) at += 1;
  // `the API key is 9f86…`
  if (behind.startsWith('is ', at) || behind.startsWith('is: ', at)) return hasLongRun(behind);
  if (behind[at] === '[') at = behind.indexOf(']', at) + 1;
  return ':='.includes(behind[at] ?? ' ') && behind.slice(at + 1).trim() !== '';
}

/** Whether a name stands where the sign of this place has it. */
export function isNamed(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - AROUND_CHARS_MAX), at);
  const behind = text.slice(at, at + AROUND_CHARS_MAX);
  const isSpaced = isSpacedName(behind);
  if (isSpaced !== undefined) return isSpaced;
  NAMED.lastIndex = before.length;
  return mayBeNamed(before, behind) && NAMED.test(before + behind);
}
