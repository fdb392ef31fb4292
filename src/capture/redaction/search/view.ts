import type { Span } from '../rule.ts';

/** A text as it reads when escapes, colours or what stands before its lines are taken away, and where its characters came from. */
export interface View {
  readonly text: string;
  /** Where a stretch of it stands in the text as it was given. */
  readonly original: (span: Span) => Span;
}

/** The view in which each match of a global expression is replaced; undefined when there is none. */
function replaced(
  view: View,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => string,
): View | undefined {
  /** Where each stretch that was kept or written begins, in the new text and in the old one. */
  const starts: number[] = [];
  const origins: number[] = [];
  let text = '';
  let from = 0;
  for (const match of view.text.matchAll(pattern)) {
    const made = replacement(match);
    if (made === match[0]) continue;
    starts.push(text.length);
    origins.push(from);
    text += view.text.slice(from, match.index);
    starts.push(text.length);
    origins.push(match.index);
    text += made;
    from = match.index + match[0].length;
  }
  if (starts.length === 0) return undefined;
  starts.push(text.length);
  origins.push(from);
  text += view.text.slice(from);
  const place = (at: number): number => {
    const index = lastUpTo(starts, at);
    // Of what was written, all of it stands where the match began.
    const isWritten = index % 2 === 1;
    return origins[index]! + (isWritten ? 0 : at - starts[index]!);
  };
  const endOf = (at: number): number => {
    const index = lastUpTo(starts, at);
    return index % 2 === 1 ? origins[index + 1]! : place(at) + 1;
  };
  return {
    text,
    original: ({ start, end }) =>
      view.original({ start: place(start), end: end > start ? endOf(end - 1) : place(start) }),
  };
}

/** The last of the ordered numbers that is not above `value`. */
function lastUpTo(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! > value) high = middle;
    else low = middle;
  }
  return low;
}

/** ECMA-48: colours, character sets and links of terminal programs, raw or as the usual escapes of them. */
const SEQUENCE =
  /(?:\x1b|\\{1,8}(?:u001[bB]|x1[bB]|e|033))(?:\[[0-?]{0,64}[ -/]{0,4}[@-~]|\([0AB]|\][^\x07\x1b\\]{0,2048}(?:\x07|\\{1,8}u0007|\x1b\\))/g;
const SEQUENCE_START = /\x1b[[\](]|\\(?:u001|x1[bB]|e\[|033)/;

/** Whether a text has colours; its keywords may be cut by them. */
export const mayHaveColours = (text: string): boolean => SEQUENCE_START.test(text);
export const withoutColours = (text: string): string => text.replace(SEQUENCE, '');

/** One level of JSON's and a shell's escapes, of percent-encoding, of HTML's names. */
const ESCAPE =
  /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|\r?\n|[\\"'`/nrtbf])|%[2-7][\da-fA-F]|%0[aAdD]|&(?:quot|apos|amp|lt|gt|#x?[\da-fA-F]{2,4});/g;
/** Simpler, and more. */
const MAYBE_ESCAPE = /\\[\w\\"'`/\r\n]|%[0-7]\w|&[a-z#]\w{1,5};/;
export const mayHaveEscapes = (text: string): boolean => MAYBE_ESCAPE.test(text);

const LETTERS: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: ' ',
  f: ' ',
  '\n': ' ',
  '\r': ' ',
};
const ENTITIES: Record<string, string> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };

function unescaped([sign]: RegExpExecArray): string {
  const rest = sign!.slice(1);
  if (sign![0] === '%') return String.fromCharCode(Number.parseInt(rest, 16));
  if (sign![0] === '&') {
    const name = rest.slice(0, -1);
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return ENTITIES[name] ?? String.fromCharCode(code);
  }
  if (/^[ux][\da-fA-F]/.test(rest)) return String.fromCharCode(Number.parseInt(rest.slice(1), 16));
  return LETTERS[rest[0]!] ?? rest;
}

/**
 * What programs print before each line: a path and a number of grep, the number of a listing, a time, the name of a service, the
 * sign of a diff, a quotation or a comment.
 */
const LINE_PREFIX =
  /(?<=^|\n)(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]{5,18}Z?\]?\s(?:[A-Z]{3,8}\s)?|[\w@~-]{0,64}[./][\w./@~+-]{0,200}(?::\d{1,7}[:-]|-\d{1,7}-|:|-(?=[^-]))|[ \t]{0,8}\d{1,7}(?:\u2192|[:\t-]|[ \t]{0,2}[|\u2502] ?)|(?:[\w -]{1,40}\t){1,2}(?=\d{4}-)|[A-Z][a-z]{2} [ \d]\d [\d:]{8} \S{1,64} \S{1,64}: |[\w.-]{1,40}[ \t]{1,9}\| |\[[\w./-]{1,80}\] |[+>#|-] ?|\/\/ ?|\* )/g;
/** Simpler, and more: that one takes a fresh process two milliseconds to compile. */
const MAYBE_PREFIX =
  /^(?:[ \t]{0,8}\d|[[+>#|*-]|\/\/|[\w@~-]{0,64}[./][\w./@~+-]{0,200}[:-]|[\w.-]{1,40}[ \t]{1,9}\||[\w -]{1,40}\t|[A-Z][a-z]{2} [ \d]\d )/;
const PREFIX_CHARS_MAX = 280;

/** Whether this line, or the next, may begin with such a prefix. */
export const mayHavePrefix = (text: string, at: number): boolean =>
  [text.lastIndexOf('\n', at) + 1, text.indexOf('\n', at) + 1].some((start) =>
    MAYBE_PREFIX.test(text.slice(start, start + PREFIX_CHARS_MAX)),
  );

/** Escapes inside escapes, at most. */
const LEVELS_MAX = 4;

/** The view itself, the same without colours, and without one level of escapes after the other. */
export function viewsOf(view: View): View[] {
  const views = [view];
  const plain = mayHaveColours(view.text) ? replaced(view, SEQUENCE, () => '') : undefined;
  if (plain !== undefined) views.push(plain);
  for (let level = 0; level < LEVELS_MAX; level += 1) {
    const next = replaced(views.at(-1)!, ESCAPE, unescaped);
    if (next === undefined) break;
    views.push(next);
  }
  return views;
}

/** One before the other on a line, at most. */
const PREFIXES_MAX = 4;

/** The same without what stands before the lines. */
export function withoutPrefixes(view: View): View | undefined {
  let plain: View | undefined;
  for (let round = 0; round < PREFIXES_MAX; round += 1) {
    const next = replaced(plain ?? view, LINE_PREFIX, () => '');
    if (next === undefined) break;
    plain = next;
  }
  return plain;
}
