import type { Span } from './decoded.ts';
import { ERASED, SECRET_CHARS_MIN } from './finder.ts';

/** What a redaction puts in the place of what it finds; an erasure leaves nothing beside its own. */
const MARKER = /\[REDACTED:(?!ERASED\])[A-Z0-9-]{1,40}\]/g;
/** What a fold writes behind a text that it cut. */
const CUT = '…';
/** A plain word or a status stands in a state for something else, whatever secret has it. */
const WORD = /^[a-z_]{1,11}$/;

/** A beginning or an end of a secret beside a marker: a redaction took only a part of it before it was written. */
export function* piecesAtMarkers(text: string, secrets: readonly string[]): Generator<Span> {
  if (!text.includes('[REDACTED:')) return;
  for (const { 0: marker, index } of text.matchAll(MARKER)) {
    const end = index + marker.length;
    for (const secret of secrets) {
      const before = lengthBefore(text, index, secret);
      if (before > 0) yield [index - before, index];
      const behind = lengthBehind(text, end, secret);
      if (behind > 0) yield [end, end + behind];
    }
  }
}

/**
 * A text of a state without what a fold left of a secret: its beginning or end where the text was cut in it, and lines that are a
 * part of it. The very same string where there is none.
 */
export function withoutPieces(text: string, secrets: readonly string[]): string {
  const end = text.endsWith(CUT) ? CUT : '';
  const body = text.slice(0, text.length - end.length);
  const left = secrets
    .reduce(withoutEnds, body)
    .split('\n')
    .map((line) => (isPiece(line, secrets) ? ERASED : line))
    .join('\n');
  return left === body ? text : left + end;
}

const isPiece = (line: string, secrets: readonly string[]): boolean =>
  line.length >= SECRET_CHARS_MIN && !WORD.test(line) && secrets.some((one) => one.includes(line));

function withoutEnds(text: string, secret: string): string {
  const before = lengthBefore(text, text.length, secret);
  const left = before > 0 ? text.slice(0, text.length - before) + ERASED : text;
  const behind = lengthBehind(left, 0, secret);
  return behind > 0 ? ERASED + left.slice(behind) : left;
}

/** Of the beginning of a secret that ends at a place of the text; 0 where there is none. */
function lengthBefore(text: string, end: number, secret: string): number {
  const there = text.slice(Math.max(0, end - secret.length), end);
  const first = secret.slice(0, SECRET_CHARS_MIN);
  for (let at = there.indexOf(first); at !== -1; at = there.indexOf(first, at + 1))
    if (secret.startsWith(there.slice(at))) return there.length - at;
  return 0;
}

/** Of the end of a secret that begins there. */
function lengthBehind(text: string, start: number, secret: string): number {
  const there = text.slice(start, start + secret.length);
  const last = secret.slice(-SECRET_CHARS_MIN);
  for (let at = there.lastIndexOf(last); at !== -1; ) {
    const length = at + last.length;
    if (secret.endsWith(there.slice(0, length))) return length;
    at = at === 0 ? -1 : there.lastIndexOf(last, at - 1);
  }
  return 0;
}
