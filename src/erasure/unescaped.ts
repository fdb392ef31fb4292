import { isUtf8 } from 'node:buffer';
import { HTML_NAMES } from './html-names.ts';
import { asIs, type Edit, edited, type Layer } from './layer.ts';

/** Escapes within escapes that are undone: JSON in JSON in a URL in HTML is four. */
const ROUNDS_MAX = 5;

/** A soft hyphen, spaces and joiners without a width, marks of direction, the mark of byte order. */
const UNSEEN = String.raw`\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff`;

/**
 * Everything that is decoded in one round. No part can be tried again and again at one place, so a round takes time in
 * proportion to the text.
 */
const TOKEN = new RegExp(
  [
    // What colours a terminal (ECMA-48, control sequences), also written out; sets its title, makes links, asks or tells it something.
    String.raw`(?:\x1b\[|\x9b|\\+[eE]\[|\^\[\[)[0-?]{0,64}[ -/]{0,8}[@-~]`,
    String.raw`\x1b[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[78=>cDEHM]`,
    // Bytes: percent-encoded, or as strings of Python, C and shells and the paths of git have them.
    '(?<percent>(?:%[0-9A-Fa-f]{2})+)',
    String.raw`(?<bytes>(?:\\+x[0-9A-Fa-f]{2})+|(?:\\+0[0-3][0-7]{2}){2,}|(?:\\+[0-3][0-7]{2})+)`,
    // JSON and JavaScript, however often it was escaped once more.
    String.raw`\\+(?:u(?<unit>[0-9A-Fa-f]{4})|(?:u\{(?<point>[0-9A-Fa-f]{1,6})\}|U(?<long>[0-9A-Fa-f]{8}))|(?<char>[nrtbf"'/])|(?<other>))`,
    String.raw`&(?:#(?<decimal>\d{1,16})|#[xX](?<hex>[0-9A-Fa-f]{1,16})|(?<name>[A-Za-z][A-Za-z0-9]{1,7}));?`,
    // Characters that nobody sees (Unicode: default ignorable).
    `[${UNSEEN}]+`,
    // UTF-16 that somebody read as single bytes.
    String.raw`\0+`,
  ].join('|'),
  'g',
);
/** Every token begins with one of these. */
const BEGINNING = new RegExp(String.raw`[\\%&^\x1b\x9b\0${UNSEEN}]`);
/** What Unicode also writes as one character, or with others: letters of full width are those of ASCII. */
const CLUSTER = /[^\p{M}\0-\x7f]\p{M}*|[A-Za-z]\p{M}+|[ᄀ-ᄒ][ᅡ-ᅵ][ᆨ-ᇂ]?/gu;

const CHARS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/**
 * A text as it reads when every escape in it is undone: those of JSON, JavaScript and C, of URLs and of HTML, the colours
 * of terminals, what nobody sees, and different ways of Unicode to write the same. What is no escape may be taken for one: what is looked
 * for goes through here as well, and is looked for in the text itself first.
 */
export const unescaped = (text: string): Layer => layersOf(text).at(-1)!;

/** The text as it stands, and what it reads after each round: there, what ends with a percent sign is not yet one with what follows. */
export function layersOf(text: string): Layer[] {
  const layers = [asIs(text)];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const last = layers.at(-1)!;
    if (!BEGINNING.test(last.text)) break;
    const next = edited(last, editsOf(last.text));
    if (next === last) break;
    layers.push(next);
  }
  const last = layers.at(-1)!;
  if (last.text.normalize('NFKC') !== last.text) layers.push(edited(last, normalized(last.text)));
  return layers;
}

/** Only where a text has one of these is it taken for quoted-printable: `=41` alone stands in many texts. */
const QUOTED = /=(?:3D|\r?\n)/;
const QUOTED_BREAK = /=[ \t]*\r?\n/g;
const QUOTED_BYTES = /(?:=[0-9A-F]{2})+/g;

/** A text of mail without its quoted-printable encoding (RFC 2045, section 6.7), on top of `layer`; nothing where it is none. */
export function unquoted(layer: Layer): Layer[] {
  if (!QUOTED.test(layer.text)) return [];
  const inLines = edited(layer, unbroken(layer.text));
  return [edited(inLines, unquotedBytes(inLines.text))];
}

function* unbroken(text: string): Generator<Edit> {
  for (const { 0: found, index } of text.matchAll(QUOTED_BREAK))
    yield { start: index, end: index + found.length, by: '' };
}

function* unquotedBytes(text: string): Generator<Edit> {
  for (const { 0: found, index } of text.matchAll(QUOTED_BYTES))
    yield* bytesIn(found, /=[0-9A-F]{2}/g, 16, index);
}

function* normalized(text: string): Generator<Edit> {
  for (const { 0: found, index } of text.matchAll(CLUSTER)) {
    const by = found.normalize('NFKC');
    if (by !== found) yield { start: index, end: index + found.length, by };
  }
}

/** Those with a zero before stand side by side, as a shell has them. */
const OCTALS = /\\+0[0-3][0-7]{2}(?![0-7])|\\+[0-3][0-7]{2}/g;

function* editsOf(text: string): Generator<Edit> {
  for (const { 0: found, index, groups = {} } of text.matchAll(TOKEN)) {
    if (groups.percent !== undefined) yield* bytesIn(found, /%[0-9A-Fa-f]{2}/g, 16, index);
    else if (groups.bytes !== undefined) {
      const isHex = found.includes('x');
      yield* bytesIn(found, isHex ? /\\+x[0-9A-Fa-f]{2}/g : OCTALS, isHex ? 16 : 8, index);
    } else {
      const by = decodedToken(found, groups);
      if (by !== found) yield { start: index, end: index + found.length, by };
    }
  }
}

function decodedToken(found: string, groups: Record<string, string | undefined>): string {
  const { unit, point, long, char, other, decimal, hex, name } = groups;
  if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
  if (char !== undefined) return CHARS[char] ?? char;
  if (other !== undefined) return '\\';
  if (name !== undefined) return HTML_NAMES.get(name) ?? found;
  const code = point ?? long ?? hex;
  if (code !== undefined) return charOf(Number.parseInt(code, 16)) ?? found;
  return decimal === undefined ? '' : (charOf(Number(decimal)) ?? found);
}

const charOf = (code: number): string | undefined =>
  code > 0x10ffff ? undefined : String.fromCodePoint(code);

/** Single bytes as characters: UTF-8 where they are that, Latin-1 elsewhere. */
function* bytesIn(run: string, each: RegExp, radix: 8 | 16, index: number): Generator<Edit> {
  const { bytes, lengthAt } = tokensAlike(run) ?? tokensIn(run, each, radix);
  let start = index;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!;
    let to = at + 1;
    if (byte < 0x80) {
      const step = lengthAt(at);
      while (to < bytes.length && bytes[to]! < 0x80 && lengthAt(to) === step) to += 1;
      const end = start + step * (to - at);
      yield { start, end, by: bytes.toString('latin1', at, to), step };
      start = end;
      at = to;
      continue;
    }
    const length = lengthOf(byte);
    const char = bytes.subarray(at, at + length);
    const isChar = char.length === length && isUtf8(char);
    if (isChar) to = at + length;
    let end = start;
    for (; at < to; at += 1) end += lengthAt(at);
    yield { start, end, by: isChar ? char.toString() : String.fromCharCode(byte) };
    start = end;
  }
}

interface Tokens {
  bytes: Buffer;
  /** Characters of the one that stands for this byte. */
  lengthAt(at: number): number;
}

function tokensIn(run: string, each: RegExp, radix: 8 | 16): Tokens {
  const tokens = run.match(each)!;
  const digits = radix === 16 ? 2 : 3;
  const bytes = Buffer.from(tokens.map((token) => Number.parseInt(token.slice(-digits), radix)));
  return { bytes, lengthAt: (at) => tokens[at]!.length };
}

/** The same of hex as long as all tokens have one length: megabytes may be made of them. Else undefined. */
function tokensAlike(run: string): Tokens | undefined {
  const sign = run.startsWith('%') ? '%' : 'x';
  const step = run.indexOf(sign) + 3;
  if (step < 3 || run.length % step !== 0) return undefined;
  const bytes = Buffer.alloc(run.length / step);
  for (let at = 0; at < bytes.length; at += 1) {
    const end = (at + 1) * step;
    if (run[end - 3] !== sign) return undefined;
    bytes[at] = 16 * hexDigit(run, end - 2) + hexDigit(run, end - 1);
  }
  return { bytes, lengthAt: () => step };
}

/** 0-9, A-F and a-f have what they stand for, or 9 less, in their last four bits. */
function hexDigit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return (code & 15) + (code > 64 ? 9 : 0);
}

/** Bytes of a character of UTF-8 (RFC 3629, section 3), by the first. */
function lengthOf(lead: number): number {
  if (lead < 0xc2) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
