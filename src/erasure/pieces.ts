import { ERASED } from '../projections/safe-text.ts';
import type { Span } from './decoded.ts';
import { SECRET_CHARS_MIN } from './finder.ts';

/** What redaction puts in place of a secret; beside its own marker an erasure leaves nothing. */
const MARKER = /\[REDACTED:(?!ERASED\])[A-Z0-9-]{1,40}\]/g;
/** What a fold writes after a text that it cut. */
const CUT = '…';
/** A plain word or status means something else in a state, whatever secret contains it. */
const WORD = /^[a-z_]{1,11}$/;

/** The beginning or end of a secret beside a marker: redaction had found only a part of it. */
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
 * A state's text without pieces of secrets: a beginning or end at a cut, and lines that are part of one. The same
 * string if there are none.
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

/** Length of a secret's beginning that ends there, or 0. */
function lengthBefore(text: string, end: number, secret: string): number {
  const there = text.slice(Math.max(0, end - secret.length), end);
  const first = secret.slice(0, SECRET_CHARS_MIN);
  for (let at = there.indexOf(first); at !== -1; at = there.indexOf(first, at + 1))
    if (secret.startsWith(there.slice(at))) return there.length - at;
  return 0;
}

/** Length of a secret's end that begins there, or 0. */
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
