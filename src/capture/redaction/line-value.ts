import { onDemand } from './rule.ts';
import { isOfWords } from './words.ts';

/**
 * Values without quotation marks that go on to the end of their line, whatever signs are in them: `DB_PASSWORD=a(b;c&d` in a
 * file of settings. Where a line begins inside JSON, `\n` is before it, and a mark of the value has a backslash.
 */

/** What is read before a name to see whether a line begins there, characters. */
const BEFORE_CHARS_MAX = 120;
/** As much of a value is judged, characters. */
const JUDGED_CHARS_MAX = 960;

/** Behind the end of a line: a diff's sign, what grep and listings print, a list's dash, a statement. Group 1: its backslashes. */
const LINE_START = onDemand(
  () =>
    /(?:^|\n|(\\{1,4})n|\u2192)[+-]?(?:[ \t]|\\{1,7}t){0,40}(?:[\w./-]{1,64}:(?:\d{1,6}:)?|\d{1,6}[:\t])?[ \t]{0,8}(?:(?:export|set|declare -x|ENV|ARG|-)[ \t]{1,8})?$/,
);
/** The mark around a whole assignment, `-e "DB_PASSWORD=…"`. Group 1: its backslashes. */
const OPEN_MARK = onDemand(() => /(\\{0,3})(["'`])(?:(?:export|set|ENV|ARG|-)[ \t]{1,8})?$/);

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

export interface LineValue {
  text: string;
  end: number;
  /** Whether nothing but a comment follows on the line. */
  isWhole: boolean;
}

/**
 * Whether no code reads so: a bracket without its other half, a sign that ends a statement in the middle, one `&` or `|`.
 * For a text without white space.
 */
export function isNoCode(text: string): boolean {
  if (/;.|[%^]|(?:^|[^&])&(?:[^&]|$)|(?:^|[^|])\|(?:[^|]|$)/.test(text)) return true;
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

/** Whether nothing but what programs print before a line stands before the name. */
export const beginsLine = (text: string, nameStart: number): boolean =>
  LINE_START().test(beforeName(text, nameStart));

/**
 * The value from `start` to the end of its line, or to the mark that closes one directly before its name. Undefined where the
 * name (from `nameStart` on) begins neither a line nor behind such a mark, or code stands there.
 */
export function lineValue(text: string, nameStart: number, start: number): LineValue | undefined {
  const before = beforeName(text, nameStart);
  const line = LINE_START().exec(before);
  const marks = OPEN_MARK().exec(before);
  if (line === null && marks === null) return undefined;
  const escapes = line?.[1]?.length ?? 0;
  const mark = marks?.[2] ?? (escapes > 0 ? '"' : '');
  const run = runOf(line === null && mark === '"' ? (marks?.[1]?.length ?? 0) + 1 : escapes, mark);
  const near = text.slice(start, start + JUDGED_CHARS_MAX);
  run.lastIndex = 0;
  let value = run.exec(near)?.[0] ?? '';
  const end = start + value.length;
  if (value.length === JUDGED_CHARS_MAX) {
    run.lastIndex = start;
    return { text: value, end: start + (run.exec(text)?.[0].length ?? 0), isWhole: false };
  }
  const isWhole = /^[ \t]{0,20}(?:$|[\r\n"'`]|\\|#|\x1b)/.test(text.slice(end, end + 24));
  // The end of a command.
  if (!isWhole) value = value.replace(/[;&|)]{1,8}$/, '');
  return isCall(value, isWhole) ? undefined : { text: value, end: start + value.length, isWhole };
}
