import type { Found } from './merge.ts';
import type { Places } from './places.ts';
import { marker, type Span } from './rule.ts';
import { AHEAD_CHARS, BEHIND_CHARS } from './scanner-reach.ts';

/*
 * What the scanner has found in a text is still there when markers stand in the place of secrets, only elsewhere; but for what
 * is so near a marker that the scanner sees it.
 */

/** The stretches of a text that may see a marker which stands there in the place of what was found; ordered, disjoint. */
export function spansAround(found: readonly Found[], chars: number): Span[] {
  const spans: Span[] = [];
  let moved = 0;
  for (const { start, end, id } of found) {
    const from = start + moved - AHEAD_CHARS;
    moved += marker(id).length - (end - start);
    const to = Math.min(chars, end + moved + BEHIND_CHARS);
    const last = spans.at(-1);
    if (last !== undefined && from <= last.end) last.end = to;
    else spans.push({ start: from < BEHIND_CHARS ? 0 : from, end: to });
  }
  return spans;
}

/**
 * Adds to what was found in those stretches what the rest of the text has.
 * @param before what the scanner had found before
 */
export function withMoved(places: Places, before: Places, found: readonly Found[]): Places {
  for (const kind of new Set([...before.kinds, ...places.kinds])) {
    // A stretch that begins at 0 may also have places that see no marker.
    const own = new Set([...movedPlaces(before.at(kind), found), ...places.at(kind)]);
    if (own.size > 0)
      places.set(
        kind,
        [...own].sort((a, b) => a - b),
      );
  }
  return places;
}

/** Those of the ordered places that see none of what was found, where they are now. */
function* movedPlaces(places: readonly number[], found: readonly Found[]): Generator<number> {
  let index = 0;
  let moved = 0;
  for (const at of places) {
    for (let next = found[index]; next && next.end + BEHIND_CHARS <= at; next = found[index]) {
      moved += marker(next.id).length - (next.end - next.start);
      index += 1;
    }
    const next = found[index];
    if (next === undefined || at < next.start - AHEAD_CHARS) yield at + moved;
  }
}
