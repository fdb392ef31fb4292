import type { NamedSpan, Rule } from '../rule.ts';

/**
 * Private keys in PEM and OpenPGP armour (RFC 7468, RFC 1421, RFC 4880 §6.2, OpenSSH), whole or cut at either end. What stands
 * before each line and what escapes line breaks is taken away by the views of a text.
 */

/** RSA keys of 16,384 bits are 13,000 characters, with a path before each line four times as many. */
const BODY_CHARS_MAX = 64 * 1024;
/** Between the lines where nothing looks like a key: a made-up one of a few lines, and no page of code. */
const ODD_BODY_CHARS_MAX = 300;
/** How much of what is between the lines is base64 in runs of a key's length. */
const KEY_PART_MIN = 1 / 4;
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----/;
const KEY_RUNS = /[A-Za-z0-9+/=]{24,512}/g;

/** White space, also as escapes; quotation marks and signs of a string that goes over lines; a number and a sign before a line. */
const GAP = String.raw`(?:\\[nrt]|[\s"'\`,;|>+#*\\^$]|-(?!-)|\d{1,7}(?=\t|\u2192|:|\|)|[\u2192:])`;
/** RFC 1421 and OpenPGP armour headers. */
const FIELD =
  '(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID): ?[^\\n\\r\\\\"]{0,200}';
const GAPS = new RegExp(`${GAP}{0,512}`, 'y');
const FIELDS = new RegExp(FIELD, 'y');
const CHUNK = /(?:[A-Za-z0-9+/=]|\\{1,3}\/){16,512}/y;
const SHORT_CHUNK = /[A-Za-z0-9+/=]{1,15}/y;

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function skipGaps(text: string, from: number): number {
  let at = from;
  for (;;) {
    const next = endOf(GAPS, text, at) ?? at;
    if (next === at) return at;
    at = next;
  }
}

/**
 * Where a key's lines end that begin at `from`: at the last that is base64. Undefined when none is. A text may begin in the
 * middle of a key.
 */
export function pemBodyEnd(text: string, from: number): number | undefined {
  const limit = Math.min(text.length, from + BODY_CHARS_MAX);
  let end: number | undefined;
  for (let at = from; at < limit; ) {
    at = skipGaps(text, at);
    const field = endOf(FIELDS, text, at);
    const chunk = field ?? endOf(CHUNK, text, at);
    if (chunk === undefined) {
      // A short run counts only as the last line: before END, or where the text was cut.
      const short = endOf(SHORT_CHUNK, text, at);
      const next = short === undefined ? undefined : skipGaps(text, short);
      if (
        end !== undefined &&
        next !== undefined &&
        (next >= text.length || text.startsWith('-----', next))
      )
        end = short;
      break;
    }
    if (field === undefined) end = chunk;
    at = chunk;
  }
  return end;
}

const isMostlyKey = (text: string): boolean =>
  (text.match(KEY_RUNS) ?? []).join('').length > Math.max(0, text.length * KEY_PART_MIN);

function* fromBegin(text: string, at: number): Generator<NamedSpan> {
  const from = endOf(BEGIN, text, at);
  if (from === undefined) return;
  const reach = text.slice(from, from + BODY_CHARS_MAX);
  const dashes = reach.search(/-----(?:BEGIN|END) /);
  const end = dashes < 0 ? null : END.exec(reach.slice(dashes, dashes + 100));
  if (end !== null && end.index === 0) {
    const between = reach.slice(0, dashes);
    // With nothing like a key, a quotation mark between the two lines means code that names them both.
    const isOdd =
      between.length <= ODD_BODY_CHARS_MAX && !/["'`]/.test(between) && between.trim() !== '';
    if (isOdd || isMostlyKey(between)) {
      yield { start: at, end: from + dashes + end[0].length, id: 'PRIVATE-KEY' };
      return;
    }
  }
  const cut = pemBodyEnd(text, from);
  if (cut !== undefined) yield { start: at, end: cut, id: 'PRIVATE-KEY' };
}

/** The rest of a key whose BEGIN line is not there: the output of `tail`, or what was left of a long one. */
function* beforeEnd(text: string, at: number): Generator<NamedSpan> {
  const line = END.exec(text.slice(at, at + 100));
  if (line === null || line.index !== 0) return;
  const start = tailStart(text, at);
  if (start !== undefined) yield { start, end: at + line[0].length, id: 'PRIVATE-KEY' };
}

/** What stands around the base64 of a line. */
const AROUND = /^[\s"'`,;|>+#*\\^$-]+|(?:\\[nr]|[\s"'`,;|>+#*\\^$-])+$/g;
/** A word is shorter. */
const LINE_CHARS_MIN = 16;

/** Where the lines of base64 begin that end at `end`; the last of them may be short. */
function tailStart(text: string, end: number): number | undefined {
  const limit = Math.max(0, end - BODY_CHARS_MAX);
  let start: number | undefined;
  let isLast = true;
  for (let to = end; to > limit; ) {
    const from = to < 2 ? 0 : Math.max(text.lastIndexOf('\n', to - 2) + 1, limit);
    const line = text.slice(from, to).replace(AROUND, '');
    if (line !== '') {
      const word = /(?:[A-Za-z0-9+/=]|\\{1,3}\/)*$/.exec(line.slice(-4096))![0];
      if (word.length < LINE_CHARS_MIN && !(isLast && word === line)) break;
      // Behind something else on its line a key's words begin here.
      start = from + text.slice(from, to).lastIndexOf(word);
      if (word !== line) break;
      isLast = false;
    }
    to = from;
  }
  return start !== undefined && end - start > 2 * LINE_CHARS_MIN ? start : undefined;
}

export const PEM_RULES: readonly Rule[] = [
  {
    id: 'PRIVATE-KEY',
    kind: 'word',
    keywords: ['-----begin '],
    find: fromBegin,
    lines: BODY_CHARS_MAX,
    source: 'rfc-editor.org/rfc/rfc7468',
  },
  {
    id: 'PRIVATE-KEY',
    kind: 'word',
    keywords: ['-----end '],
    find: beforeEnd,
    lines: BODY_CHARS_MAX,
    source: 'rfc-editor.org/rfc/rfc7468',
  },
];
