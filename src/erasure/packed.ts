import { type Edit, edited, type Layer, placesOf, type Span } from './layer.ts';

/** Shorter runs of base64 are words. */
const BASE64_CHARS_MIN = 12;
const BASE64_RUN = /[A-Za-z0-9+/_-]{12,}/g;
/** Shorter runs of hex are numbers. */
const HEX_RUN = /[0-9a-f]{8,}/g;
const BREAKS = /[\r\n]+/g;
/** Bytes in hex, with what others put between them: `41:42`, `41 42`, `0x41, 0x42`; also breaks. */
const HEX_REGION = /[0-9A-Fa-fx\s,:;.='"|_-]{8,}/g;
const HEX_GAPS = /(?:0x|[^0-9A-Fa-f])+/g;

/** A text without its line breaks, in which base64 stands in one piece. */
export function unwrapped(layer: Layer): Layer {
  return edited(layer, Array.from(layer.text.matchAll(BREAKS), removed));
}

/** The digits of all hex in a text, in lower case. */
export function hexOf(layer: Layer): Layer {
  const { text, origin } = edited(layer, allButHex(layer.text));
  return { text: text.replace(/[A-F]+/g, (letters) => letters.toLowerCase()), origin };
}

function* allButHex(text: string): Generator<Edit> {
  let done = 0;
  for (const { 0: region, index } of text.matchAll(HEX_REGION)) {
    const gaps = Array.from(region.matchAll(HEX_GAPS), removed);
    const digits = gaps.reduce((left, { start, end }) => left - (end - start), region.length);
    if (digits < 8) continue;
    yield { start: done, end: index, by: ' ' };
    for (const { start, end } of gaps) yield { start: start + index, end: end + index, by: '' };
    done = index + region.length;
  }
  yield { start: done, end: text.length, by: ' ' };
}

const removed = ({ 0: found, index }: RegExpMatchArray): Edit => {
  return { start: index!, end: index! + found.length, by: '' };
};

/** Bytes that a part of a text would decode to, and where that part stands. */
export interface Unpacked {
  span: Span;
  bytes: Buffer;
}

/**
 * All base64 in a text without breaks, and all hex in the digits of one.
 * @param bytesMin what is shorter is of no use
 */
export function* unpackedIn(unbroken: Layer, digits: Layer, bytesMin: number): Generator<Unpacked> {
  const charsMin = Math.max(BASE64_CHARS_MIN, Math.floor((bytesMin * 8) / 6));
  for (const { 0: run, index } of unbroken.text.matchAll(BASE64_RUN)) {
    if (run.length < charsMin) continue;
    const span = unbroken.origin([index, index + run.length]);
    // Where the run begins is known, where the base64 in it does is not.
    for (let skip = 0; skip < 4; skip += 1) {
      yield { span, bytes: Buffer.from(run.slice(skip), 'base64') };
    }
  }
  for (const { 0: run, index } of digits.text.matchAll(HEX_RUN)) {
    if (run.length < 2 * bytesMin) continue;
    const span = digits.origin([index, index + run.length]);
    for (let skip = 0; skip < 2; skip += 1) {
      yield { span, bytes: Buffer.from(run.slice(skip), 'hex') };
    }
  }
}

/** Every place of the pieces in a layer, as it stands in the first text. */
export function* piecesIn(layer: Layer, pieces: readonly string[]): Generator<Span> {
  for (const piece of pieces) {
    for (const span of placesOf(layer.text, piece)) yield layer.origin(span);
  }
}
