import * as KIND from './kinds.ts';
import { endsWithName } from './name-signs.ts';
import type { Places } from './places.ts';
import { LAYERS_MAX, PREFIX, PREFIX_CHARS_MAX } from './prefixed-lines.ts';
import { onDemand } from './rule.ts';
import { BLOCKS, isBlock } from './setting-signs.ts';
import { isNamed } from './signs.ts';
import { isWordChar } from './word-char.ts';

/*
 * Whether a text is worth reading without its lines' prefixes, as far as the places tell that the scanner found: nearly none is.
 */

/**
 * Of a kind's signs, which may go over several lines or must begin one. Of the others everything is in one line. Plain code: V8
 * makes machine code of an expression that is used twice.
 */
const BEGINNINGS =
  'value,string>,machine ,default login ,requirepass ,masterauth ,= data =,334 ugfzc3,331 p,331 user,+ok ,auth plain'.split(
    ',',
  );
const SIGN_CHARS_MAX = 32;

const begins = (text: string, at: number): boolean => {
  const sign = text
    .slice(at, at + SIGN_CHARS_MAX)
    .trimStart()
    .toLowerCase();
  return BEGINNINGS.some((beginning) => sign.startsWith(beginning));
};

/** How far before a value the line with its name may end, characters: prefixes stand between them, and lines of a diff. */
const NAME_WITHIN = 640;

/** What belongs to a name has it at the end of a line before. */
const hasNameBefore = (text: string, at: number): boolean =>
  text
    .slice(Math.max(0, at - NAME_WITHIN), at)
    .split('\n')
    .slice(0, -1)
    .some(endsWithName);

/** Whether no more than a word and a name that has no space stands before a label: what begins its line, but for a prefix. */
const isStatement = (before: string | undefined): boolean =>
  before !== undefined && before.trimStart().split(' ').length <= 2;

/** Whether a value in marks follows the label and a space: it is one where the name begins its line only. */
function isSpaced(behind: string, end: number): boolean {
  return behind[end] === ' ' && '"\''.includes(behind[end + 1] ?? ' ');
}

/** A setting, whose value goes to the end of its line, or a value or an argument in the next line. */
function isLabelled(behind: string, end: number): boolean {
  if (behind[end] === '=' && behind.slice(0, end).toUpperCase() === behind.slice(0, end))
    return true;
  const line = behind.indexOf('\n', end);
  if (line < 0) return false;
  const rest = behind.slice(end, line).trimEnd();
  return ':=|>-+'.includes(rest.at(-1) ?? ' ') || rest === '",' || rest === "',";
}

/** The characters of a line that are compared with those of the next. */
const SAME_CHARS = 3;

/** Whether the line that begins at a place may stand in a diff. */
type IsDiff = (start: number) => boolean;

/**
 * As `prefixed-lines.ts` has it: the line is in a stretch of lines that begin with a space or a sign, and one with a sign: prose
 * has lists, and indented code beside them. Each stretch is looked at once, where the lines are asked for in order.
 */
function diffsOf(text: string): IsDiff {
  const isAny = onDemand(
    () => '+-'.includes(text[0] ?? ' ') || text.includes('\n+') || text.includes('\n-'),
  );
  let known = { start: 0, end: 0, isDiff: false };
  return (at) => {
    if (!isAny()) return false;
    if (at < known.start || at >= known.end) known = stretchAround(text, at);
    return known.isDiff;
  };
}

function stretchAround(text: string, at: number): { start: number; end: number; isDiff: boolean } {
  let isDiff = false;
  const isOfIt = (line: number) => {
    const first = text[line] ?? '';
    if (first === '+' || first === '-') isDiff = true;
    return '+- \r\n\\'.includes(first);
  };
  let end = at;
  while (end < text.length && isOfIt(end)) {
    const line = text.indexOf('\n', end);
    end = line < 0 ? text.length : line + 1;
  }
  let start = at;
  while (start > 0) {
    const line = start > 1 ? text.lastIndexOf('\n', start - 2) + 1 : 0;
    if (!isOfIt(line)) break;
    start = line;
  }
  return { start, end: Math.max(end, at + 1), isDiff };
}

/** Whether a line that begins so may have a prefix, as far as its first characters tell. */
function mayBegin(text: string, at: number, isDiff: IsDiff): boolean {
  const from = Math.max(0, at - PREFIX_CHARS_MAX);
  const start = from + text.slice(from, at).lastIndexOf('\n') + 1;
  if (start === from && from > 0) return false;
  const first = text[start] ?? '';
  if (first === ' ') {
    let digit = start;
    while (text[digit] === ' ') digit += 1;
    return '0123456789'.includes(text[digit]!) || isDiff(start);
  }
  if (!isWordChar(first.charCodeAt(0)) || first <= '9') return first !== '\n' && first !== '\t';
  const own = text.slice(start, start + SAME_CHARS);
  const next = text.slice(at, at + PREFIX_CHARS_MAX).indexOf('\n');
  if (next >= 0 && text.startsWith(own, at + next + 1)) return true;
  const before = text.slice(Math.max(0, start - PREFIX_CHARS_MAX), Math.max(0, start - 1));
  return before.startsWith(own, before.lastIndexOf('\n') + 1) && start > 0;
}

type IsOne = (text: string, at: number, isDiff: IsDiff) => boolean;

const hasPrefix: IsOne = (text, at, isDiff) =>
  mayBegin(text, at, isDiff) && beforeSign(text, at, isDiff) !== undefined;

const isBehindLabel: IsOne = (text, at, isDiff) => {
  if (!mayBegin(text, at, isDiff)) return false;
  const behind = text.slice(at, at + SIGN_CHARS_MAX);
  let end = 0;
  while (isWordChar(behind.charCodeAt(end))) end += 1;
  if (isLabelled(behind, end)) return beforeSign(text, at, isDiff) !== undefined;
  return isSpaced(behind, end) && isStatement(beforeSign(text, at, isDiff));
};

const BETWEEN = ' \t"\'<=\\-';
/** No prefix ends with these: the signs of code, and a word that is no level of a log. */
const INSIDE = '(){},;.&*!?`$%@_';

/** Whether what stands before a sign may be the end of a prefix. Most code is told apart here, before an expression is made. */
function mayEndBefore(text: string, at: number): boolean {
  let last = at - 1;
  while (BETWEEN.includes(text[last] ?? '\n')) last -= 1;
  const end = text[last] ?? '\n';
  return end === '\n' ? last < at - 1 : !(end >= 'a' && end <= 'z') && !INSIDE.includes(end);
}

const ONLY_SIGNS = /^[\s"'<=\\-]*$/;

/** The last character before it tells of most signs: it is asked for first. */
const beginsItsLine: IsOne = (text, at, isDiff) =>
  mayEndBefore(text, at) &&
  mayBegin(text, at, isDiff) &&
  begins(text, at) &&
  ONLY_SIGNS.test(beforeSign(text, at, isDiff) ?? '-:');

/** A block of YAML, of which the scanner finds the name's end. */
const beginsBlock: IsOne = (text, at, isDiff) => {
  const [word, start] = BLOCKS.find(([word]) => text.startsWith(word, at)) ?? ['', ''];
  const name = at - start.length;
  return (
    word !== '' &&
    text.endsWith(start, at) &&
    isBlock(text, at + word.length - 1) &&
    mayEndBefore(text, name) &&
    mayBegin(text, name, isDiff) &&
    ONLY_SIGNS.test(beforeSign(text, name, isDiff) ?? '-:')
  );
};

const OF_LINES: Readonly<Partial<Record<number, IsOne>>> = {
  [KIND.named]: (text, at, isDiff) => beginsItsLine(text, at, isDiff) && hasNameBefore(text, at),
  [KIND.netrc]: beginsItsLine,
  [KIND.setting]: (text, at, isDiff) =>
    beginsItsLine(text, at, isDiff) || beginsBlock(text, at, isDiff),
  [KIND.pgpass]: hasPrefix,
  [KIND.npmrc]: hasPrefix,
  [KIND.declared]: hasPrefix,
  [KIND.terraformValue]: hasPrefix,
  [KIND.kubernetes]: (text, at, isDiff) => isNamed(text, at) && hasPrefix(text, at, isDiff),
  [KIND.key]: isBehindLabel,
  [KIND.secret]: isBehindLabel,
  [KIND.password]: isBehindLabel,
  [KIND.pass]: isBehindLabel,
};

/** Whether it is worth the while to read the text without prefixes: most texts have some sign, and none before its line. */
export function mayHavePrefixes(text: string, places: Places): boolean {
  const isDiff = diffsOf(text);
  for (const kind of places.kinds) {
    const isOne = OF_LINES[kind];
    if (isOne !== undefined && places.at(kind).some((at) => isOne(text, at, isDiff))) return true;
  }
  return false;
}

/** What a prefix that begins with a word ends with, or has before its end. */
const ENDS = ['-', ':', '|', '\t', '\u2192', '\u2502'];
const hasEnd = (line: string): boolean => ENDS.some((end) => line.includes(end));

/** What stands between the prefixes of its line and a sign; undefined where there is none. */
function beforeSign(text: string, at: number, isDiff: IsDiff): string | undefined {
  const from = Math.max(0, at - PREFIX_CHARS_MAX);
  const before = text.slice(from, at);
  const start = before.lastIndexOf('\n') + 1;
  if (start === 0 && from > 0) return undefined;
  let line = before.slice(start);
  if (isWordChar(line.charCodeAt(0)) && !hasEnd(line)) return undefined;
  const chars = line.length;
  for (let layer = 0; layer < LAYERS_MAX; layer += 1) {
    // Only a number stands behind spaces: most lines are indented, and an expression is made for the others alone.
    if (line.startsWith(' ') && !'0123456789'.includes(line.trimStart()[0] ?? ' ')) break;
    const prefix = PREFIX.exec(line)?.[0] ?? '';
    line = line.slice(prefix.length);
  }
  if (line[0] === '+' || line[0] === '-' || (line.startsWith(' ') && isDiff(from + start)))
    line = line.slice(1);
  return line.length < chars ? line : undefined;
}
