import { ANSI } from './fragments.ts';
import { KIND } from './kinds.ts';
import { onDemand, type RedactionRule } from './rule.ts';

/** How far an END line may be from the last line that looked like a key's, when odd lines stand between them. */
const ODD_LINES_CHARS_MAX = 4096;

/** The same when nothing at all looked like a key's: enough for a made-up key of a few lines, too little for a page of code. */
const ODD_BODY_CHARS_MAX = 300;

/** Repetitions in one step of the scan: V8 keeps a backtracking entry for each, and the loop takes the next step anyway. */
const STEP = '{1,512}';

/**
 * What may stand between two lines of a key: white space, also as escapes; quotes, commas and `+` of a string split over
 * lines; a diff's signs; quoting and comment signs; colours; the line numbers of a listing (`     7\t`, `7→`, `7:`).
 */
const gap = onDemand(
  () =>
    new RegExp(
      String.raw`(?:${ANSI}|\\{1,8}[nrt]|[\s"'\`,;|>+#*\\]|\d{1,7}(?=\t|\\{1,8}t|\u2192|:|\|)|\u2192|:|-(?!-)|-(?=-----END ))${STEP}`,
      'y',
    ),
);
const CHUNK = /(?:[A-Za-z0-9+/=]|\\{1,3}\/){16,512}/y;
const SHORT_CHUNK = /[A-Za-z0-9+/=]{1,15}/y;
/** RFC 1421 and OpenPGP armour headers. */
const FIELD = /(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID): ?[^\n\r\\"]{0,200}/y;
const END = /-----END [A-Z0-9 ]{1,40}-----/y;
/** Group 1 says which. */
export const LINE_OF_DASHES = /-----(BEGIN|END) [A-Z0-9 ]{1,40}-----/;

/** The end of `pattern`'s match at exactly `position`, or undefined. */
function match(pattern: RegExp, text: string, position: number): number | undefined {
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

/** Where the END line ends that stands in reach with no other BEGIN before it. */
function nearEnd(text: string, from: number, isKey: boolean): number | undefined {
  const reach = text.slice(from, from + (isKey ? ODD_LINES_CHARS_MAX : ODD_BODY_CHARS_MAX));
  const found = LINE_OF_DASHES.exec(reach);
  if (found?.[1] !== 'END') return undefined;
  // With nothing like a key, a quotation mark between the two lines means code that names them both.
  if (!isKey && /["'`]/.test(reach.slice(0, found.index))) return undefined;
  return from + found.index + found[0].length;
}

/**
 * The end of the key whose BEGIN line ends at `from`: its END line, or, where the block was cut, the last line that
 * still looks like base64. Undefined when no key follows (code and prose that only name the BEGIN line).
 */
export function pemBodyEnd(text: string, from: number): number | undefined {
  let end: number | undefined;
  let position = from;
  for (;;) {
    position = skipGap(text, position);
    const closed = match(END, text, position);
    if (closed !== undefined) return closed;
    const field = match(FIELD, text, position);
    if (field !== undefined) {
      position = field;
      continue;
    }
    const chunk = match(CHUNK, text, position) ?? lastShortChunk(text, position);
    if (chunk === undefined) break;
    end = chunk;
    position = chunk;
  }
  return nearEnd(text, end ?? from, end !== undefined) ?? end;
}

/** A short run counts only as the last line: before END, or where the text was cut. A word of prose does not. */
function lastShortChunk(text: string, position: number): number | undefined {
  const short = match(SHORT_CHUNK, text, position);
  if (short === undefined) return undefined;
  const next = skipGap(text, short);
  return next === text.length || match(END, text, next) !== undefined ? short : undefined;
}

/** Private keys of every kind in PEM and OpenPGP armour: RFC 7468, RFC 1421, RFC 4880 §6.2, OpenSSH. The whole block. */
export const PRIVATE_KEY: RedactionRule = {
  id: 'PRIVATE-KEY',
  kind: KIND.privateKey,
  pattern: () => /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y,
  locate: (text, found) => {
    const end = pemBodyEnd(text, found.index + found[0].length);
    return end === undefined ? undefined : { start: found.index, end };
  },
};
