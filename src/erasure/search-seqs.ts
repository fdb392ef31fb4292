import { decodeEvent } from '../events/decode.ts';
import { hasShape } from '../events/shape.ts';
import type { FactEnriched, PreferenceRetracted } from '../events/types.ts';
import { supersededIn } from '../journal/erase/events.ts';
import type { Entry } from '../journal/format/frame.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import type { Found } from './plan.ts';
import { ownEntries, searchEvents } from './search.ts';

/** Events by seq, of the journal's own origin. */
export interface Chosen {
  /** Each must exist. */
  seqs: readonly number[];
  /** First and last: at least one event between them must exist. */
  ranges?: readonly (readonly [number, number])[];
}

/**
 * Events by seq, and what repeats them: events with the same id, additions by other sources, replacements by
 * earlier erasures, and retractions of a preference that they stated.
 * @throws Ben10Error POINT_NOT_FOUND if one, or all of a range, is not in the journal
 */
export function searchSeqs(project: Project, chosen: Chosen): Found {
  const wanted = wantedOf(project, chosen);
  return searchEvents(project, (entry, isOwn) =>
    isOwn && isWanted(entry, wanted) ? 'goes' : 'stays',
  );
}

interface Wanted {
  seqs: Set<number>;
  ids: Set<string>;
}

function wantedOf(project: Project, { seqs, ranges = [] }: Chosen): Wanted {
  const named = new Set(seqs);
  const wanted: Wanted = { seqs: new Set(), ids: new Set() };
  const empty = new Set(ranges);
  for (const { seq, id } of ownEntries(project)) {
    const within = ranges.filter(([first, last]) => first <= seq && seq <= last);
    for (const range of within) empty.delete(range);
    if (within.length === 0 && !named.has(seq)) continue;
    wanted.seqs.add(seq);
    wanted.ids.add(id.toString('hex'));
  }
  const missing = seqs.find((seq) => !wanted.seqs.has(seq));
  if (missing !== undefined) throw notThere(`@${missing}`);
  for (const [first, last] of empty) throw notThere(`@${first}..@${last}`);
  return wanted;
}

const notThere = (what: string): Ben10Error =>
  new Ben10Error('POINT_NOT_FOUND', `there is no event ${what} in this journal`, {
    next: 'List the events: ben10 log',
  });

function isWanted(entry: Entry, { seqs, ids }: Wanted): boolean {
  if (seqs.has(entry.seq) || ids.has(entry.id.toString('hex'))) return true;
  const superseded = supersededIn(entry);
  if (superseded !== undefined) return seqs.has(superseded.seq);
  const event = decodeEvent(entry);
  if (event === undefined || !hasShape(event)) return false;
  if (event.type === 'preference.retracted')
    return seqs.has(Number.parseInt((event.data as PreferenceRetracted).key, 10));
  return event.type === 'fact.enriched' && ids.has((event.data as FactEnriched).of);
}
