import { expression } from './expression.ts';
import type { Span } from './rule.ts';
import { isDigit } from './word-char.ts';
import { isOfWords } from './words.ts';

/**
 * Values without quotation marks that go on to the end of their line, whatever signs are in them: `DB_PASSWORD=a(b;c&d` in a
 * file of settings. Where a line begins inside JSON, `\n` is before it, and a mark of the value has a backslash.
 */

/** What is read before a name to see whether a line begins there, characters. */
const BEFORE_CHARS_MAX = 120;
/** As much of a value is judged, characters. */
export const LINE_CHARS_MAX = 960;

/** From the end of a line on: a diff's sign, what grep and listings print, a list's dash, a statement. Group 1: its backslashes. */
const LINE_START = expression(
  String.raw`(?:^|\n|(\\{1,4})n|\u2192)[+-]?(?:[ \t]|\\{1,7}t){0,48}(?:(?:[\w./-]{1,64}:(?:\d{1,6}:)?|\d{1,6}[:\t])[ \t]{0,8})?(?:(?:export|set|declare -x|ENV|ARG|-)[ \t]{1,8})?$`,
  'y',
);
/** The most backslashes before the `n` of a line's end. */
const ESCAPES_MAX = 4;

/** Where the last end of a line begins, also one that is escaped, and the arrow behind a line's number: nothing that may stand before a name holds one. */
function lastLineEnd(text: string): number {
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const char = text[at];
    if (char === '\n' || char === '\u2192') return at;
    if (char !== 'n' || text[at - 1] !== '\\') continue;
    let start = at - 1;
    while (at - start < ESCAPES_MAX && text[start - 1] === '\\') start -= 1;
    return start;
  }
  return 0;
}

/** What stands between a line's beginning and the text's end, if nothing but that does. */
function lineStart(text: string): RegExpExecArray | null {
  LINE_START.lastIndex = lastLineEnd(text);
  return LINE_START.exec(text);
}

/** The mark around a whole assignment, `-e "DB_PASSWORD=…"`. Group 1: its backslashes. */
const OPEN_MARK = expression('(\\\\{0,3})(["\'`])(?:(?:export|set|ENV|ARG|-)[ \\t]{1,8})?$');

/** Up to white space, a colour or the escape of either; inside JSON so many levels deep also up to a mark of it. */
const runs = new Map<string, RegExp>();
function runOf(backslashes: number, mark: string): RegExp {
  const key = `${backslashes}${mark}`;
  let run = runs.get(key);
  if (run === undefined) {
    const escaped =
      backslashes === 0
        ? '\\\\(?![nrtuex0"\'`\\\\])'
        : `\\\\{${2 * backslashes - 1}}(?=["'\`])["'\`]|\\\\{${2 * backslashes}}(?!\\\\)`;
    run = new RegExp(`(?:[^\\s\\x1b\\\\${mark}]{1,256}|${escaped}){0,256}`, 'y');
    runs.set(key, run);
  }
  return run;
}

/** Nothing more on the line, or a comment. */
const BEHIND_ALL = /^[ \t]{0,20}(?:$|[\r\n"'`]|\\|#|\x1b)/;

export interface LineValue {
  text: string;
  /** Only asked for a secret, as of `AssignedValue`. */
  readonly end: number;
  /** Whether nothing but a comment follows on the line. */
  isWhole: boolean;
}

const ODD_SIGN = /;.|[%^]|(?:^|[^&])&(?:[^&]|$)|(?:^|[^|])\|(?:[^|]|$)/;

/**
 * Whether no code reads so: a bracket without its other half, a sign that ends a statement in the middle, one `&` or `|`.
 * For a text without white space.
 */
export function isNoCode(text: string): boolean {
  if (ODD_SIGN.test(text)) return true;
  const count = (sign: string) => text.split(sign).length;
  return ['()', '[]', '{}'].some(([open = '', close = '']) => count(open) !== count(close));
}

/** `getToken(…)`, `secrets[0]`, a call that goes on behind a space: code, where the name before the bracket is made of words. */
const CALL = /^([!.\w$]+)(?:\(|\[)/;
const CALL_END = /^[!.\w$]+[([]$|\(.*\)[;,]?$|\[.*\][;,]?$/s;

function isCall(text: string, isWhole: boolean): boolean {
  const name = CALL.exec(text)?.[1];
  return name !== undefined && isOfWords(name) && (!isWhole || CALL_END.test(text));
}

/** What stands before a name; a line does not begin where only the reading does. */
function beforeName(text: string, nameStart: number): string {
  const from = Math.max(0, nameStart - BEFORE_CHARS_MAX);
  return (from > 0 ? ' ' : '') + text.slice(from, nameStart);
}

/** What a statement before a name ends with. */
const STATEMENTS = ['export', 'set', 'x', 'ENV', 'ARG'];

/** Whether a line or an assignment in marks may begin before the name: most names stand behind another word. */
export function mayBegin(text: string, nameStart: number): boolean {
  let at = nameStart - 1;
  while (text[at] === ' ' || text[at] === '\t') at -= 1;
  const last = text[at] ?? '\n';
  if ('\n+-:\u2192"\'`'.includes(last) || isDigit(last.charCodeAt(0))) return true;
  if (text[at - 1] === '\\') return true;
  return STATEMENTS.some((word) => text.endsWith(word, at + 1));
}

/** Whether nothing but what programs print before a line stands before the name. */
export const beginsLine = (text: string, nameStart: number): boolean =>
  mayBegin(text, nameStart) && lineStart(beforeName(text, nameStart)) !== null;

/**
 * The value from `start` to the end of its line, or to the mark that closes one directly before its name. Undefined where the
 * name (from `nameStart` on) begins neither a line nor behind such a mark, or code stands there.
 */
export function lineValue(text: string, nameStart: number, start: number): LineValue | undefined {
  if (!mayBegin(text, nameStart)) return undefined;
  const before = beforeName(text, nameStart);
  const line = lineStart(before);
  const marks = OPEN_MARK.exec(before);
  if (line === null && marks === null) return undefined;
  const escapes = line?.[1]?.length ?? 0;
  const mark = marks?.[2] ?? (escapes > 0 ? '"' : '');
  const run = runOf(line === null && mark === '"' ? (marks?.[1]?.length ?? 0) + 1 : escapes, mark);
  const near = text.slice(start, start + LINE_CHARS_MAX);
  run.lastIndex = 0;
  // It matches an empty text, too.
  let value = run.exec(near)![0];
  const end = start + value.length;
  if (value.length === LINE_CHARS_MAX)
    return {
      text: value,
      get end() {
        run.lastIndex = start;
        return start + run.exec(text)![0].length;
      },
      isWhole: false,
    };
  const isWhole = BEHIND_ALL.test(text.slice(end, end + 24));
  // The end of a command.
  if (!isWhole) value = value.replace(/[;&|)]{1,8}$/, '');
  return isCall(value, isWhole) ? undefined : { text: value, end: start + value.length, isWhole };
}

const FILE_VALUE_CHARS_MAX = 256;

/** The mark that the lead ends with, or that stands before the user whose password follows. */
const OPEN = /(\\{0,7}["'])(?:[^\s:"'\\]+:)?$/;
/** A line of a file, and not of a text in code. */
const OWN_LINE = /(?:^|\n)[+-]?[ \t]{0,40}$/;
const OWN_LINE_CHARS = 42;
/** Any sign may be in a value there, and white space behind a backslash; but for marks that close a text around it: `x9"`, `x9\n');`. */
const IN_OWN_LINE =
  /^(?:\\[^\r\n]|[^\s\\])*?(?=\\?(?:[\r\n]|$)|[ \t]|(?:\\[nrt])?["'`]{1,3}[)\]},;+]*(?:\s|$))/;
const ELSEWHERE = /^[^\s"'`\\]*/;

/** What a file that no shell reads has behind a rule's lead: all up to the mark that closes the one in the lead, or up to white space. */
export function fileValue(text: string, match: RegExpExecArray): Span {
  const lead = match[1] ?? '';
  const start = match.index + lead.length;
  const line = /^.*/.exec(text.slice(start, start + FILE_VALUE_CHARS_MAX))![0];
  const open = OPEN.exec(lead)?.[1];
  if (open !== undefined) {
    const close = line.indexOf(open);
    return { start, end: start + (close < 0 ? line.search(/["'\\]|$/) : close) };
  }
  const before = text.slice(Math.max(0, match.index - OWN_LINE_CHARS), match.index);
  const value = (OWN_LINE.test(before) ? IN_OWN_LINE : ELSEWHERE).exec(line);
  return { start, end: start + (value?.[0].length ?? 0) };
}
