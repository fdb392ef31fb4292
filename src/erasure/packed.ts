import { fromBase32 } from './base32.ts';
import { dumpsIn } from './dumps.ts';
import type { Piece } from './forms.ts';
import {
  asIs,
  type Edit,
  edited,
  type Layer,
  placesOf,
  type Span,
  type Unpacked,
} from './layer.ts';
import { type Run, runsOf } from './runs.ts';
import { unwrapped } from './unwrapped.ts';

/** Shorter runs of base64 are words. */
const BASE64_CHARS_MIN = 12;
const base64Runs = ofLength('[A-Za-z0-9+/_-]');
const base32Runs = ofLength('[A-Z2-7]');
const smallBase32Runs = ofLength('[a-z2-7]');
/** Shorter runs are words. */
const BASE32_CHARS_MIN = 16;
/** So many characters of base32 are whole bytes. */
const BASE32_GROUP = 8;
/** Shorter runs of hex are numbers. */
const HEX_DIGITS_MIN = 8;
const hexRuns = ofLength('[0-9a-f]');
/** Bytes in hex, with what others put between them: `41:42`, `41 42`, `0x41, 0x42`; also breaks. */
const hexRegions = ofLength(`[0-9A-Fa-fx\\s,:;.='"|_-]`, '[0-9A-Fa-f]');
/** Fewer numbers in a row are no bytes of a text. */
const LISTED_MIN = 4;
const decimalRegions = ofLength('[0-9,\\s]', '[0-9]');
const NUMBERS = /\d+/g;
const HEX_GAPS = /(?:0x|[^0-9A-Fa-f])+/g;

/** A pattern of so many characters at least; a longer one would be no faster, and is too large for some engines. */
const COUNT_MAX = 64;

/** Finds the runs of some characters that have a length: one that is shorter costs no time. @param first of each */
function ofLength(chars: string, first = chars): (text: string, min: number) => Iterable<Run> {
  const known = new Map<number, (text: string) => Iterable<Run>>();
  return (text, min) => {
    if (text.length < min) return [];
    const count = Math.min(min, COUNT_MAX);
    const runsIn = known.get(count) ?? runsOf(chars, count, first);
    known.set(count, runsIn);
    return longer(runsIn(text), min);
  };
}

function* longer(runs: Iterable<Run>, min: number): Generator<Run> {
  for (const run of runs) if (run[0].length >= min) yield run;
}

/**
 * The digits of all hex in a text, in lower case.
 * @param digitsMin what has fewer is of no use
 */
export function hexOf(layer: Layer, digitsMin: number): Layer {
  const edits = [...allButHex(layer.text, Math.max(digitsMin, HEX_DIGITS_MIN))];
  if (edits.length === 0) return asIs('');
  const { text, origin } = edited(layer, edits);
  return { text: text.replace(/[A-F]+/g, (letters) => letters.toLowerCase()), origin };
}

/** Nothing where there is none. */
function* allButHex(text: string, digitsMin: number): Generator<Edit> {
  let done = 0;
  let isAny = false;
  for (const { 0: region, index } of hexRegions(text, digitsMin)) {
    if (!hasDigits(region, digitsMin)) continue;
    const gaps = Array.from(region.matchAll(HEX_GAPS), removed);
    const digits = gaps.reduce((left, { start, end }) => left - (end - start), region.length);
    if (digits < digitsMin) continue;
    isAny = true;
    yield { start: done, end: index, by: ' ' };
    for (const { start, end } of gaps) yield { start: start + index, end: end + index, by: '' };
    done = index + region.length;
  }
  if (isAny) yield { start: done, end: text.length, by: ' ' };
}

/** Those before an `x` are no digits of it: at least as many as there are. */
function hasDigits(region: string, count: number): boolean {
  let left = count;
  for (let at = 0; at < region.length && left > 0; at += 1)
    if (isHexDigit(region.charCodeAt(at))) left -= 1;
  return left === 0;
}

/** 0-9, A-F, a-f. */
const isHexDigit = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);

const removed = ({ 0: found, index }: RegExpMatchArray): Edit => {
  return { start: index!, end: index! + found.length, by: '' };
};

/**
 * All base64, base32, hex, lists of bytes and dumps in a text.
 * @param bytesMin what is shorter is of no use
 */
export function* unpackedIn(read: Layer, bytesMin: number): Generator<Unpacked> {
  let isFirst = true;
  for (const joined of unwrapped(read)) {
    yield* basedIn(joined, bytesMin, isFirst);
    isFirst = false;
  }
  for (const { span, bytes } of dumpsIn(read.text)) yield { span: read.origin(span), bytes };
  const digits = hexOf(read, 2 * bytesMin);
  const digitsMin = Math.max(HEX_DIGITS_MIN, 2 * bytesMin);
  for (const { 0: run, index } of hexRuns(digits.text, digitsMin)) {
    const span = digits.origin([index, index + run.length]);
    for (let skip = 0; skip < 2; skip += 1) {
      yield { span, bytes: Buffer.from(run.slice(skip), 'hex') };
    }
  }
  for (const { span, bytes } of listedIn(read.text, Math.max(LISTED_MIN, bytesMin)))
    yield { span: read.origin(span), bytes };
}

/** Base64 and base32 in a text whose lines were joined. @param isAll also what no line was joined to */
function* basedIn(joined: Layer, bytesMin: number, isAll: boolean): Generator<Unpacked> {
  const isWanted = ([start, end]: Span, run: string) => isAll || end - start > run.length;
  const charsMin = Math.max(BASE64_CHARS_MIN, Math.floor((bytesMin * 8) / 6));
  for (const { 0: run, index } of base64Runs(joined.text, charsMin)) {
    const span = joined.origin([index, index + run.length]);
    if (!isWanted(span, run)) continue;
    // Where the run begins is known, where the base64 in it does is not.
    for (let skip = 0; skip < 4; skip += 1) {
      yield { span, bytes: Buffer.from(run.slice(skip), 'base64') };
    }
  }
  const groupsMin = Math.max(BASE32_CHARS_MIN, Math.floor((bytesMin * 8) / 5));
  for (const runs of [base32Runs, smallBase32Runs]) {
    for (const { 0: run, index } of runs(joined.text, groupsMin)) {
      const span = joined.origin([index, index + run.length]);
      if (!isWanted(span, run)) continue;
      for (let skip = 0; skip < BASE32_GROUP; skip += 1)
        yield { span, bytes: fromBase32(run.slice(skip)) };
    }
  }
}

/** Bytes as programs list them: `[115, 51]` of Node and Python, `[115 51]` of Go. */
function* listedIn(text: string, bytesMin: number): Generator<Unpacked> {
  for (const { 0: region, index } of decimalRegions(text, 2 * bytesMin - 1)) {
    let list: number[] = [];
    let span: Span = [0, 0];
    const listed = (): Unpacked[] =>
      list.length < bytesMin ? [] : [{ span, bytes: Buffer.from(list) }];
    for (const { 0: number, index: at } of region.matchAll(NUMBERS)) {
      const from = index + at;
      if (number.length > 3 || Number(number) > 255) {
        yield* listed();
        list = [];
        continue;
      }
      span = [list.length === 0 ? from : span[0], from + number.length];
      list.push(Number(number));
    }
    yield* listed();
  }
}

/** The bytes that a list of numbers says; undefined when it says none. */
export function listedBytes(list: readonly unknown[]): Buffer | undefined {
  const isByte = (one: unknown) => Number.isInteger(one) && Number(one) >= 0 && Number(one) <= 255;
  return list.length >= LISTED_MIN && list.every(isByte)
    ? Buffer.from(list as number[])
    : undefined;
}

/** Every place of the pieces in a layer, as it stands in the first text. */
export function* piecesIn(layer: Layer, pieces: readonly string[]): Generator<Span> {
  for (const piece of pieces) {
    for (const span of placesOf(layer.text, piece)) yield layer.origin(span);
  }
}

/** Of eight characters of base32. */
const PADDING_CHARS_MAX = 6;

/** The same of base64 and base32, with the characters that have some bits of the piece, and the padding, which tells how long it was. */
export function* packedPiecesIn(
  { text, origin }: Layer,
  pieces: readonly Piece[],
): Generator<Span> {
  for (const { text: piece, sharesStart, sharesEnd } of pieces) {
    for (const [start, end] of placesOf(text, piece)) {
      // What was cut off in the middle has none.
      let last = sharesEnd && isBased(text[end]) ? end + 1 : end;
      const padded = last + PADDING_CHARS_MAX;
      while (sharesEnd && last < padded && text[last] === '=') last += 1;
      yield origin([sharesStart && isBased(text[start - 1]) ? start - 1 : start, last]);
    }
  }
}

const isBased = (char: string | undefined): boolean => /^[\w+/-]/.test(char ?? '');
