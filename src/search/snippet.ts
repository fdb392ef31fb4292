import { oneLine } from '../projections/safe-text.ts';
import { wordsOf } from './analyze.ts';

export interface Span {
  start: number;
  end: number;
}

/** A longer text is looked through up to here. */
const READ_CHARS_MAX = 50_000;
/** Of the room: what stands before the first match. */
const BEFORE = 1 / 4;

/** Where a text has words that match, with the terms by which they do. */
export function matchesIn(
  text: string,
  terms: ReadonlySet<string>,
): (Span & { terms: string[] })[] {
  const found = [];
  for (const { start, end, terms: all } of wordsOf(text)) {
    const matching = all.filter((term) => terms.has(term));
    if (matching.length > 0) found.push({ start, end, terms: matching });
  }
  return found;
}

/** The stretch of a text with the most different matching terms, on one line and safe to show. */
export function snippetOf(given: string, terms: ReadonlySet<string>, chars: number): string {
  const text = oneLine(given.slice(0, READ_CHARS_MAX));
  if (text.length <= chars) return text;
  const start = startOf(text, terms, chars);
  const end = Math.min(start + chars, text.length);
  // Whole words, unless one is longer than a line.
  const from = start === 0 ? 0 : wordStart(text, start);
  const to = end === text.length ? end : wordEnd(text, end);
  const middle = text.slice(from, to).toWellFormed().trim();
  return `${from > 0 ? '…' : ''}${middle}${to < text.length ? '…' : ''}`;
}

function startOf(text: string, terms: ReadonlySet<string>, chars: number): number {
  const matches = matchesIn(text, terms);
  const inside = new Map<string, number>();
  let best = { different: 0, start: 0 };
  let first = 0;
  for (const match of matches) {
    for (const term of match.terms) inside.set(term, (inside.get(term) ?? 0) + 1);
    for (; match.end - matches[first]!.start > chars * (1 - BEFORE) && matches[first] !== match; ) {
      for (const term of matches[first]!.terms) {
        const left = inside.get(term)! - 1;
        if (left === 0) inside.delete(term);
        else inside.set(term, left);
      }
      first += 1;
    }
    if (inside.size > best.different)
      best = { different: inside.size, start: matches[first]!.start };
  }
  const start = best.start - Math.round(chars * BEFORE);
  return Math.max(0, Math.min(start, text.length - chars));
}

/** A word longer than this is cut. */
const WORD_CHARS_MAX = 30;

function wordStart(text: string, at: number): number {
  const blank = text.slice(at, at + WORD_CHARS_MAX).indexOf(' ');
  return blank === -1 || text[at - 1] === ' ' ? at : at + blank + 1;
}

function wordEnd(text: string, at: number): number {
  const blank = text.slice(Math.max(0, at - WORD_CHARS_MAX), at).lastIndexOf(' ');
  return blank === -1 || text[at] === ' ' ? at : Math.max(0, at - WORD_CHARS_MAX) + blank;
}
