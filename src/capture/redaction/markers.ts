import { type Found, mergeFound } from './merge.ts';
import type { RuleSet } from './options.ts';
import { MARKER, marker, type RedactionCount, type Span } from './rule.ts';

/** What was found in a text, ordered, without overlaps, and without what is inside a marker that stands there already. */
export const disjointIn = (text: string, found: readonly Found[], set: RuleSet): Found[] =>
  mergeFound(found, markersOf(text, set));

/** Markers that one of the rules wrote before. Nothing inside one is a secret. */
function markersOf(text: string, { rules }: RuleSet): Span[] {
  const markers: Span[] = [];
  if (!text.includes('[REDACTED:')) return markers;
  const ids = new Set(rules.flatMap((rule) => [rule.id, ...(rule.ids ?? [])]));
  for (const match of text.matchAll(MARKER)) {
    if (!ids.has(match[1] ?? '')) continue;
    markers.push({ start: match.index, end: match.index + match[0].length });
  }
  return markers;
}

/** The text with a marker in the place of each find, which are counted; ordered and without overlaps. */
export function withMarkers(text: string, found: readonly Found[], counts: RedactionCount): string {
  let result = '';
  let from = 0;
  for (const { start, end, id } of found) {
    result += text.slice(from, start) + marker(id);
    counts[id] = (counts[id] ?? 0) + 1;
    from = end;
  }
  return result + text.slice(from);
}
