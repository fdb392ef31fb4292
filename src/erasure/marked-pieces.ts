import { SECRET_CHARS_MIN } from './forms.ts';
import type { Span } from './layer.ts';

/** What a redaction puts in the place of what it finds; what an erasure does has nothing beside it. */
const MARKER = /\[REDACTED:(?!ERASED\])[A-Z0-9-]{1,40}\]/g;

/**
 * Where a text has a beginning or an end of a secret beside a marker: a redaction that took only a part of it before it was written,
 * as the password of a command up to a space, left the rest there.
 */
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
  for (
    let at = there.lastIndexOf(last);
    at !== -1;
    at = at === 0 ? -1 : there.lastIndexOf(last, at - 1)
  ) {
    const length = at + last.length;
    if (secret.endsWith(there.slice(0, length))) return length;
  }
  return 0;
}
