import { findSecrets, type RedactionOptions } from '../capture/redaction/index.ts';
import type { Describe, TextFinding } from './finding.ts';

export const WINDOW_CHARS = 1024 * 1024;
/** Overlap after a window: longest secret that is found whole (RSA keys have 13,000). */
export const AHEAD_CHARS = 64 * 1024;
/** Overlap before a window, for labels and commands. */
const BEHIND_CHARS = 8 * 1024;

/** Finds each secret of a text in pieces once, wherever it is cut. One longer than `AHEAD_CHARS` may be cut at a window's end. */
export function* scanChunks(
  chunks: Iterable<string>,
  options: RedactionOptions,
  describe: Describe,
): Generator<TextFinding> {
  const place = { line: 1, column: 1 };
  let window = '';
  /** What is before it was searched already. */
  let from = 0;
  const answer = function* (until: number): Generator<TextFinding> {
    let at = from;
    let reached = until;
    for (const { start, end, id } of findSecrets(window, options)) {
      if (start < from || start >= until) continue;
      advance(place, window, at, start);
      at = start;
      reached = Math.max(reached, end);
      yield { ...describe(id, window.slice(start, end)), ...place };
    }
    advance(place, window, at, reached);
    const keepFrom = Math.max(0, reached - BEHIND_CHARS);
    window = window.slice(keepFrom);
    from = reached - keepFrom;
  };
  for (const chunk of chunks) {
    window += chunk;
    if (window.length - from >= WINDOW_CHARS + AHEAD_CHARS)
      yield* answer(window.length - AHEAD_CHARS);
  }
  yield* answer(window.length);
}

function advance(
  place: { line: number; column: number },
  text: string,
  from: number,
  to: number,
): void {
  let lineStart = from;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    place.line += 1;
    place.column = 1;
    lineStart = at + 1;
  }
  place.column += to - lineStart;
}
