import type { Plain } from './escapes.ts';
import * as KIND from './kinds.ts';
import type { Places } from './places.ts';
import { onDemand, type Span } from './rule.ts';
import { originalPlaces } from './rules-here.ts';
import { isNamed } from './signs.ts';

/**
 * Texts without what programs print before each line: a name and its value, a manifest, a key stand in several lines, and read
 * as in their file only then.
 */

/** Longer than a path and its number. */
const PREFIX_CHARS_MAX = 256;
/** Prefixes before each other: a service's name, then a time, then a number. */
const LAYERS_MAX = 3;

/** A time and a level, a host, a service, a job and its step, a pod, a quotation or a comment, a number of a line, a path
 * with or without one, a frame. */
const PREFIX = onDemand(
  () =>
    new RegExp(
      `^(?:${[
        '\\[?(?:\\d{4}[-/]\\d\\d[-/]\\d\\d[T ])?\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z| ?[+-]\\d\\d:?\\d\\d)?\\]?(?:[ \\t]|$)(?:\\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\\]?:?[ \\t])?',
        '[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d [\\w.-]{1,64} [\\w./@-]{1,64}(?:\\[\\d{1,9}\\])?: ',
        '[\\w./-]{1,64} {0,40}\\|(?: |$)',
        '[^\\t]{1,64}\\t[^\\t]{1,64}\\t(?=\\d{4}-)',
        '\\[pod/[^\\]\\s]{1,200}\\] ',
        '(?:>|#|//)(?: |$)',
        ' {0,8}\\d{1,7}(?:[\\t\\u2192:-]|(?: ?[|\\u2502])(?: |$))',
        '[\\w./@+-]{1,200}?(?:[:-]\\d{1,7}[:-]|(?<=\\.\\w{1,10})[:-])',
        '[|\\u2502](?: |$)',
      ].join('|')})`,
    ),
);

/** The same of each line of a stretch: numbers and spaces may differ, and grep puts `-` where it puts `:` in a match. */
const shapeOf = (prefix: string): string =>
  prefix.replace(/\d+/g, '0').replace(/-/g, ':').replace(/\s+/g, ' ').trim();

function* linesOf(text: string): Generator<Span> {
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf('\n', start);
    const end = at < 0 ? text.length : at + 1;
    yield { start, end };
    start = end;
  }
}

/** The prefixes that stand before at least two lines, one after the other. */
function prefixesIn(text: string): Span[] {
  const found: Span[] = [];
  let last: { shape: string; span: Span } | undefined;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, Math.min(end, start + PREFIX_CHARS_MAX)).trimEnd();
    const prefix = PREFIX().exec(line)?.[0] ?? '';
    const own = prefix && { shape: shapeOf(prefix), span: { start, end: start + prefix.length } };
    if (own && own.shape === last?.shape) {
      if (found.at(-1) !== last.span) found.push(last.span);
      found.push(own.span);
    }
    last = own || undefined;
  }
  return found;
}

/**
 * The signs of a diff, and the lines that have the `other` one: what stands around both is one file before, another after.
 * Undefined where there is no diff.
 */
function signsIn(text: string, other: '+' | '-'): Span[] {
  const found: Span[] = [];
  let stretch: Span[] = [];
  let isDiff = false;
  const close = () => {
    // One by one: as arguments of one call, a hundred thousand lines are too many.
    if (isDiff && stretch.length > 1) for (const one of stretch) found.push(one);
    stretch = [];
    isDiff = false;
  };
  for (const { start, end } of linesOf(text)) {
    const sign = text[start] ?? '';
    if ('+- '.includes(sign)) {
      stretch.push({ start, end: sign === other ? end : start + 1 });
      isDiff ||= sign !== ' ';
    } else if (!'\r\n\\'.includes(sign)) close();
  }
  close();
  return found;
}

function without(text: string, removed: readonly Span[], inside?: Plain['original']): Plain {
  let rest = '';
  let from = 0;
  for (const { start, end } of removed) {
    rest += text.slice(from, start);
    from = end;
  }
  const place = onDemand(() => originalPlaces(removed));
  return {
    text: rest + text.slice(from),
    original: ({ start, end }) => {
      const span = { start: place()(start), end: place()(end - 1) + 1 };
      return inside?.(span) ?? span;
    },
  };
}

/**
 * The text without its lines' prefixes, once for each that stand before each other, and as it was before and after a diff.
 * @param original of the text, where that is none of its own
 */
export function withoutPrefixes(text: string, original?: Plain['original']): Plain[] {
  const readings: Plain[] = [];
  let last: { text: string; original?: Plain['original'] } = {
    text,
    ...(original && { original }),
  };
  for (let layer = 0; layer < LAYERS_MAX; layer += 1) {
    const removed = prefixesIn(last.text);
    if (removed.length === 0) break;
    readings.push(without(last.text, removed, last.original));
    last = readings.at(-1) ?? last;
  }
  for (const other of ['-', '+'] as const) {
    const removed = signsIn(last.text, other);
    if (removed.length > 0) readings.push(without(last.text, removed, last.original));
  }
  return readings;
}

/**
 * Of a kind's signs, which may go over several lines or must begin one. Of the others everything is in one line. Plain code: V8
 * makes machine code of an expression that is used twice.
 */
const BEGINNINGS = 'value,string>,machine ,default login ,requirepass ,masterauth ,= data ='.split(
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

/** A setting, whose value goes to the end of its line, a value in marks behind a space, or one in the next line. */
function isLabelled(text: string, at: number): boolean {
  const behind = text.slice(at, at + SIGN_CHARS_MAX);
  let end = 0;
  while (isNameChar(behind.charCodeAt(end))) end += 1;
  if (behind[end] === '=' && behind.slice(0, end).toUpperCase() === behind.slice(0, end))
    return true;
  if (behind[end] === ' ' && '"\''.includes(behind[end + 1] ?? ' ')) return true;
  const line = behind.indexOf('\n', end);
  return line > 0 && ':=|>-+'.includes(behind.slice(end, line).trimEnd().at(-1) ?? ' ');
}

const isNameChar = (code: number): boolean =>
  code === 0x5f ||
  (code >= 0x30 && code <= 0x39) ||
  ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);

/** The characters of a line that are compared with those of the next. */
const SAME_CHARS = 3;

/** Whether a line that begins so may have a prefix, as far as its first characters tell. */
function mayBegin(text: string, at: number, isDiff: () => boolean): boolean {
  const from = Math.max(0, at - PREFIX_CHARS_MAX);
  const start = from + text.slice(from, at).lastIndexOf('\n') + 1;
  if (start === from && from > 0) return false;
  const first = text[start] ?? '';
  if (first === ' ') {
    let digit = start;
    while (text[digit] === ' ') digit += 1;
    return '0123456789'.includes(text[digit]!) || isDiff();
  }
  if (!isNameChar(first.charCodeAt(0)) || first <= '9') return first !== '\n' && first !== '\t';
  const own = text.slice(start, start + SAME_CHARS);
  const next = text.slice(at, at + PREFIX_CHARS_MAX).indexOf('\n');
  if (next >= 0 && text.startsWith(own, at + next + 1)) return true;
  const before = text.slice(Math.max(0, start - PREFIX_CHARS_MAX), Math.max(0, start - 1));
  return before.startsWith(own, before.lastIndexOf('\n') + 1) && start > 0;
}

/** A place of the text, and whether there is a diff anywhere in that, which is looked for once. */
type IsOne = (text: string, at: number, isDiff: () => boolean) => boolean;

const hasPrefix: IsOne = (text, at, isDiff) => beforeSign(text, at, isDiff) !== undefined;

const isBehindLabel: IsOne = (text, at, isDiff) =>
  isLabelled(text, at) && hasPrefix(text, at, isDiff);

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

const beginsItsLine: IsOne = (text, at, isDiff) =>
  begins(text, at) &&
  mayEndBefore(text, at) &&
  /^[\s"'<=\\-]*$/.test(beforeSign(text, at, isDiff) ?? '-:');

const OF_LINES: Readonly<Partial<Record<number, IsOne>>> = {
  [KIND.named]: beginsItsLine,
  [KIND.netrc]: beginsItsLine,
  [KIND.setting]: beginsItsLine,
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
  const isDiff = onDemand(
    () => '+-'.includes(text[0] ?? ' ') || text.includes('\n+') || text.includes('\n-'),
  );
  for (const kind of places.kinds) {
    const isOne = OF_LINES[kind];
    if (
      isOne !== undefined &&
      places.at(kind).some((at) => mayBegin(text, at, isDiff) && isOne(text, at, isDiff))
    )
      return true;
  }
  return false;
}

/** What stands between the prefixes of its line and a sign; undefined where there is none. */
function beforeSign(text: string, at: number, isDiff: () => boolean): string | undefined {
  const from = Math.max(0, at - PREFIX_CHARS_MAX);
  const before = text.slice(from, at);
  const start = before.lastIndexOf('\n') + 1;
  if (start === 0 && from > 0) return undefined;
  let line = before.slice(start);
  if (/^\w/.test(line) && !/[-:|\t\u2192\u2502]/.test(line)) return undefined;
  const chars = line.length;
  for (let layer = 0; layer < LAYERS_MAX; layer += 1) {
    // Only a number stands behind spaces: most lines are indented, and an expression is made for the others alone.
    if (line.startsWith(' ') && !'0123456789'.includes(line.trimStart()[0] ?? ' ')) break;
    const prefix = PREFIX().exec(line)?.[0] ?? '';
    line = line.slice(prefix.length);
  }
  if (/^[+-]/.test(line) || (line.startsWith(' ') && isDiff())) line = line.slice(1);
  return line.length < chars ? line : undefined;
}
