import * as KIND from './kinds.ts';
import type { Places } from './places.ts';
import type { Span } from './rule.ts';
import { isWordChar } from './word-char.ts';

/*
 * Labels whose value is known before their rules are asked: a marker, or a token that was found and is all of the value
 * (`TOKEN=ghp_…`). These rules find nothing beyond it there, and a token names what both find.
 */

const LABELS: ReadonlySet<number> = new Set([KIND.key, KIND.secret, KIND.password, KIND.pass]);

/** What a label and the rest of its name are within, characters. */
const NAME_CHARS_MAX = 64;

const isMark = (char: string | undefined): boolean => char === '"' || char === "'";

/**
 * Where the value of a name begins that has a label at `at`, written as most are: `NAME=…`, `name: …`, with or without marks
 * around both. Undefined for all others.
 */
function valueStart(text: string, at: number): number | undefined {
  let end = at;
  while (isWordChar(text.charCodeAt(end)) && end - at < NAME_CHARS_MAX) end += 1;
  if (isMark(text[end])) end += 1;
  const sign = text[end];
  if (sign !== '=' && sign !== ':') return undefined;
  end += 1;
  if (sign === ':' && text[end] === ' ') end += 1;
  return isMark(text[end]) ? end + 1 : end;
}

/** Whether a token ends where the value ends that begins as it does: with the line, or at the mark that opened it. */
function isWhole(text: string, { start, end }: Span): boolean {
  const before = text[start - 1];
  if (!isMark(before)) return (text[end] ?? '\n') === '\n';
  // Doubled it does not end there.
  return text[end] === before && text[end + 1] !== before;
}

/**
 * The places of a text without those of labels whose value is known.
 * @param tokens what was found in it by its own beginning, and will be replaced
 */
export function withoutKnown(text: string, places: Places, tokens: readonly Span[]): Places {
  const hasMarkers = text.includes('[REDACTED:');
  if (tokens.length === 0 && !hasMarkers) return places;
  const starts = new Set(tokens.filter((token) => isWhole(text, token)).map(({ start }) => start));
  return places.without(LABELS, (at) => {
    const start = valueStart(text, at);
    return start !== undefined && (starts.has(start) || text.startsWith('[REDACTED:', start));
  });
}
