import * as KIND from './kinds.ts';
import type { Found } from './merge.ts';
import type { Places } from './places.ts';
import { marker, type Span } from './rule.ts';
import { AHEAD_CHARS, BEHIND_CHARS } from './scanner-reach.ts';

/*
 * What the scanner has found in a text is still there when markers stand in the place of secrets, only elsewhere; but for what
 * is so near a marker that the scanner sees it. Where no rule can see a marker either, none finds anything that it has not found
 * before, and nothing is searched again.
 */

/** Further than a rule looks from a place to both sides, characters; but for those that read a whole block. */
export const SEEN_CHARS_MAX = 4096;
const OF_BLOCKS: readonly number[] = [KIND.privateTag, KIND.privateKey, KIND.kubernetes];

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
 * Adds to what was found in those stretches what the rest of the text has, where a rule may see a marker from there.
 * @param before what the scanner had found before
 */
export function withMoved(places: Places, before: Places, found: readonly Found[]): Places {
  for (const kind of new Set([...before.kinds, ...places.kinds])) {
    // A stretch that begins at 0 may also have places that see no marker.
    const own = new Set([
      ...movedPlaces(before.at(kind), found, farthest(kind)),
      ...places.at(kind),
    ]);
    if (own.size > 0)
      places.set(
        kind,
        [...own].sort((a, b) => a - b),
      );
  }
  return places;
}

const farthest = (kind: number): number =>
  OF_BLOCKS.includes(kind) ? Number.POSITIVE_INFINITY : SEEN_CHARS_MAX;

/** Those of the ordered places, not further from it, that the scanner saw none of what was found from, where they are now. */
function* movedPlaces(
  places: readonly number[],
  found: readonly Found[],
  farthest: number,
): Generator<number> {
  let index = 0;
  let moved = 0;
  for (const at of places) {
    for (let next = found[index]; next && next.end + BEHIND_CHARS <= at; next = found[index]) {
      moved += marker(next.id).length - (next.end - next.start);
      index += 1;
    }
    const next = found[index];
    const behind = next === undefined ? Number.POSITIVE_INFINITY : next.start - at;
    const before = at - (found[index - 1]?.end ?? Number.NEGATIVE_INFINITY);
    if (behind > AHEAD_CHARS && Math.min(before, behind) <= farthest) yield at + moved;
  }
}
