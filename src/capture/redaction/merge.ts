import type { Span } from './rule.ts';

/** What a rule found. The lower `rank` (the rule's place in the table) names it when two find the same stretch. */
export interface Found extends Span {
  id: string;
  rank: number;
}

interface Group extends Span {
  /** The widest find in it. */
  name: Found | undefined;
  /** The widest marker in it. */
  marker: Span | undefined;
}

const MARKER_RANK = -1;

const length = ({ start, end }: Span): number => end - start;

/**
 * Joins finds that overlap into one, named by the widest. A marker that stands in the text already is joined like a
 * find, so that it is never cut in two; what is found inside one only is dropped. Returns them ordered, disjoint.
 */
export function mergeFound(found: readonly Found[], markers: readonly Span[]): Found[] {
  // Nearly always.
  if (found.length === 1 && markers.length === 0) return [...found];
  const known = markers.map((span) => ({ ...span, id: '', rank: MARKER_RANK }));
  const all = [...known, ...found].sort((a, b) => a.start - b.start || a.rank - b.rank);
  const groups: Group[] = [];
  for (const next of all) {
    let group = groups.at(-1);
    if (group === undefined || next.start >= group.end) {
      group = { start: next.start, end: next.end, name: undefined, marker: undefined };
      groups.push(group);
    }
    join(group, next);
  }
  const result: Found[] = [];
  for (const { start, end, name, marker } of groups) {
    const isOnlyMarker = marker?.start === start && marker.end === end;
    if (name !== undefined && !isOnlyMarker) result.push({ ...name, start, end });
  }
  return result;
}

function join(group: Group, next: Found): void {
  group.end = Math.max(group.end, next.end);
  if (next.rank === MARKER_RANK) {
    if (group.marker === undefined || length(next) > length(group.marker)) group.marker = next;
    return;
  }
  const { name } = group;
  const wider = name === undefined ? 1 : length(next) - length(name);
  if (name === undefined || wider > 0 || (wider === 0 && next.rank < name.rank)) group.name = next;
}
