import { expression } from './expression.ts';
import { ANSI, LINE_OF_DASHES } from './fragments.ts';
import * as KIND from './kinds.ts';
import { lineStart, prefixEnd } from './line-prefix.ts';
import { onDemand, type RedactionRule } from './rule.ts';

/** How far an END line may be from the last line that looked like a key's, when odd lines stand between them. */
const ODD_LINES_CHARS_MAX = 4096;

/** The same when nothing at all looked like a key's: enough for a made-up key of a few lines, too little for a page of code. */
const ODD_BODY_CHARS_MAX = 300;

/** The same when much of it is base64 in lines of a key's length, whatever else stands around them. */
const MIXED_BODY_CHARS_MAX = 64 * 1024;
const KEY_LINES = /[A-Za-z0-9+/=]{40,512}/g;
/** How much of it: a path and a time before each line are seldom three times as long as the line. */
const KEY_LINES_PART = 1 / 4;

/** Repetitions in one step of the scan: V8 keeps a backtracking entry for each, and the loop takes the next step anyway. */
const STEP = '{1,512}';

/**
 * What may stand between two lines of a key: white space, also as escapes; quotes, commas and `+` of a string split over
 * lines; a diff's signs; quoting and comment signs; colours; the line numbers of a listing (`     7\t`, `7→`, `7:`, `7-`); what `cat -A` ends a line
 * with.
 */
const gap = onDemand(
  () =>
    new RegExp(
      String.raw`(?:${ANSI}|\\{1,8}[nrt]|[\s"'\`,;|>+#*\\]|\d{1,7}(?=\t|\\{1,8}t|\u2192|:|\||-(?!-)|------(?:BEGIN|END) )|\u2192|:|-(?!-)|-(?=-----(?:BEGIN|END) )|(?:\^M)?\$(?=[\s\\]|$))${STEP}`,
      'y',
    ),
);
export const CHUNK = /(?:[A-Za-z0-9+/=]|\\{1,3}\/){16,512}/y;
export const SHORT_CHUNK = /[A-Za-z0-9+/=]{1,15}/y;
/** RFC 1421 and OpenPGP armour headers. */
export const FIELD =
  /(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID): ?[^\n\r\\"]{0,200}/y;
const END = /-----END [A-Z0-9 ]{1,80}-----/y;

/** The end of `pattern`'s match at exactly `position`, or undefined. */
export function match(pattern: RegExp, text: string, position: number): number | undefined {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function skipGap(text: string, from: number): number {
  let position = from;
  for (;;) {
    const next = match(gap(), text, position);
    if (next === undefined) return position;
    position = next;
  }
}

/** The first place from `from` on that is no gap, nor a prefix that every line has. */
export function lineContent(text: string, from: number, prefix: string): number {
  const position = skipGap(text, from);
  const behind = prefix === '' ? undefined : prefixEnd(text, position, prefix);
  return behind === undefined ? position : skipGap(text, behind);
}

/**
 * What stands before the BEGIN or END line at `at` besides a gap, and therefore maybe before the key's other lines: the
 * file's name of `grep -r`, the time of a log.
 */
export function prefixOf(text: string, at: number, raw: boolean): string {
  const start = lineStart(text, at, raw);
  return start === undefined ? '' : text.slice(Math.min(at, skipGap(text, start)), at);
}

/** Where the END line ends that stands in reach with no other BEGIN before it. */
function nearEnd(text: string, from: number, isKey: boolean): number | undefined {
  const reach = text.slice(from, from + MIXED_BODY_CHARS_MAX);
  const found = LINE_OF_DASHES.exec(reach);
  if (found?.[1] !== 'END') return undefined;
  const between = reach.slice(0, found.index);
  const chars = between.length;
  // With nothing like a key, a quotation mark between the two lines means code that names them both.
  const isOdd = isKey
    ? chars <= ODD_LINES_CHARS_MAX
    : chars <= ODD_BODY_CHARS_MAX && !/["'`]/.test(between);
  return isOdd || isMostlyKey(between) ? from + found.index + found[0].length : undefined;
}

function isMostlyKey(text: string): boolean {
  const chars = (text.match(KEY_LINES) ?? []).reduce((sum, { length }) => sum + length, 0);
  return chars > 0 && chars >= text.length * KEY_LINES_PART;
}

/**
 * The end of the key whose BEGIN line ends at `from`: its END line, or, where the block was cut, the last line that
 * still looks like base64. Undefined when no key follows (code and prose that only name the BEGIN line).
 * @param prefix what may stand before each of its lines
 */
export function pemBodyEnd(text: string, from: number, prefix = ''): number | undefined {
  let end: number | undefined;
  let position = from;
  for (;;) {
    position = lineContent(text, position, prefix);
    const closed = match(END, text, position);
    if (closed !== undefined) return closed;
    const field = match(FIELD, text, position);
    if (field !== undefined) {
      position = field;
      continue;
    }
    const chunk = match(CHUNK, text, position) ?? lastShortChunk(text, position, prefix);
    if (chunk === undefined) break;
    end = chunk;
    position = chunk;
  }
  return nearEnd(text, end ?? from, end !== undefined) ?? end;
}

/** A short run counts only as the last line: before END, or where the text was cut. A word of prose does not. */
function lastShortChunk(text: string, position: number, prefix: string): number | undefined {
  const short = match(SHORT_CHUNK, text, position);
  if (short === undefined) return undefined;
  const next = lineContent(text, short, prefix);
  return next === text.length || match(END, text, next) !== undefined ? short : undefined;
}

/** Private keys of every kind in PEM and OpenPGP armour: RFC 7468, RFC 1421, RFC 4880 §6.2, OpenSSH. The whole block. */
export const PRIVATE_KEY: RedactionRule = {
  id: 'PRIVATE-KEY',
  kind: KIND.privateKey,
  pattern: expression('-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----', 'y'),
  locate: (text, found) => {
    const from = found.index + found[0].length;
    const raw = /[\r\n]/.test(text.slice(from, from + LINE_END_CHARS));
    const end = pemBodyEnd(text, from, prefixOf(text, found.index, raw));
    return end === undefined ? undefined : { start: found.index, end };
  },
};

/** How far behind the BEGIN line its line break is looked for, characters: `^M$`, a quotation mark, spaces. */
const LINE_END_CHARS = 8;
