import { isUtf8 } from 'node:buffer';

/** `start` to `end` of a text, in UTF-16 units, `end` not included. */
export type Span = readonly [start: number, end: number];

/** A decoded text, and the way back to the original. */
export interface Decoded {
  text: string;
  /** The same part of the original text. */
  origin(span: Span): Span;
}

/** What a part of a token decodes to, and its length in the encoded text. */
type Part = readonly [by: string, length: number];

/** Nested escapes: JSON in JSON in a URL is three. */
const ROUNDS_MAX = 5;
/** Percent encoding and escapes of JSON and JavaScript, escaped any number of times. */
const TOKEN =
  /(?:%[0-9A-Fa-f]{2})+|\\+(?:u(?<unit>[0-9A-Fa-f]{4})|x(?<byte>[0-9A-Fa-f]{2})|(?<char>[nrtbf"'/]))|\\{2,}/g;
const IS_ESCAPED = /[\\%]/;
const CHARS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const BREAKS = /[\r\n]+/g;

export const asIs = (text: string): Decoded => ({ text, origin: (span) => span });

/** The text as it is, and after each round of decoding. */
export function layersOf(text: string): Decoded[] {
  const layers = [asIs(text)];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const last = layers.at(-1)!;
    if (!IS_ESCAPED.test(last.text)) break;
    const next = replaced(last, TOKEN, partsOf);
    if (next.text === last.text) break;
    layers.push(next);
  }
  return layers;
}

/** The text with all escapes undone. */
export const unescaped = (text: string): string => layersOf(text).at(-1)!.text;

/** Without line breaks, which wrap base64 and hex. */
export const unbroken = (layer: Decoded): Decoded =>
  replaced(layer, BREAKS, (found) => [['', found.length]]);

function replaced(
  before: Decoded,
  token: RegExp,
  parts: (found: string, groups?: Record<string, string>) => readonly Part[],
): Decoded {
  const text = before.text.replace(token, (found, ...more) => {
    const groups = more.at(-1);
    const by = parts(found, typeof groups === 'object' ? groups : undefined);
    return by.map(([one]) => one).join('');
  });
  // Few texts match: the way back is made on demand.
  let starts: Uint32Array | undefined;
  const startsOf = () => {
    const made = new Uint32Array(text.length + 1);
    let from = 0;
    let at = 0;
    const upTo = (end: number) => {
      for (; from < end; from += 1, at += 1) made[at] = from;
    };
    for (const { 0: found, index, groups } of before.text.matchAll(token)) {
      upTo(index);
      for (const [by, length] of parts(found, groups)) {
        made.fill(from, at, at + by.length);
        at += by.length;
        from += length;
      }
    }
    upTo(before.text.length);
    made[at] = from;
    return made;
  };
  return {
    text,
    origin([start, end]) {
      starts ??= startsOf();
      return before.origin([starts[start]!, starts[end]!]);
    },
  };
}

function partsOf(found: string, groups: Record<string, string | undefined> = {}): readonly Part[] {
  const { unit, byte, char } = groups;
  if (found.startsWith('%')) return percentParts(found);
  const code = unit ?? byte;
  if (code !== undefined) return [[String.fromCharCode(Number.parseInt(code, 16)), found.length]];
  return [[char === undefined ? '\\' : (CHARS[char] ?? char), found.length]];
}

/** UTF-8 if it is valid, else Latin-1. */
function percentParts(run: string): Part[] {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length; ) {
    const char = bytes.subarray(at, at + lengthOf(bytes[at]!));
    const length = isUtf8(char) ? char.length : 1;
    const by = isUtf8(char) ? char.toString() : String.fromCharCode(bytes[at]!);
    parts.push([by, 3 * length]);
    at += length;
  }
  return parts;
}

/** Bytes of a UTF-8 character, by its first byte (RFC 3629, section 3). */
function lengthOf(lead: number): number {
  if (lead < 0xc2) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** All occurrences, overlapping ones included. */
export function* occurrencesOf(text: string, wanted: string): Generator<Span> {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1))
    yield [at, at + wanted.length];
}

/** The text with the spans replaced; overlapping ones become one. */
export function withReplaced(text: string, spans: readonly Span[], by: string): string {
  const sorted = spans.toSorted((a, b) => a[0] - b[0]);
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of sorted) {
    if (start >= done) parts.push(text.slice(done, start), by);
    done = Math.max(done, end);
  }
  return parts.join('') + text.slice(done);
}
