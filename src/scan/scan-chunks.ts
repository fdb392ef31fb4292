import { findSecrets, type RedactionOptions } from '../capture/redaction/index.ts';
import type { Describe, TextFinding } from './finding.ts';

/** How much is searched at once, characters. */
export const WINDOW_CHARS = 1024 * 1024;
/** Behind what is answered for: a secret that begins before it ends is whole up to this length (RSA keys are 13,000). */
export const AHEAD_CHARS = 64 * 1024;
/** Before it: the label, the command or the line that tells what a secret is. */
const BEHIND_CHARS = 8 * 1024;

/**
 * The secrets of a text that comes in pieces, however long it is; each is found once, wherever the pieces are cut. A
 * secret longer than `AHEAD_CHARS` that lies across the end of a window is found as far as the window goes.
 */
export function* scanChunks(
  chunks: Iterable<string>,
  options: RedactionOptions,
  describe: Describe,
): Generator<TextFinding> {
  const place = { line: 1, column: 1 };
  let window = '';
  /** What is before it in the window was answered for. */
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

/** Moves the place over a stretch of the text. */
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
