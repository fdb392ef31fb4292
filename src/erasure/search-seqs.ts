import { decodeEvent } from '../events/decode.ts';
import { hasShape } from '../events/shape.ts';
import type { FactEnriched, JournalEvent, PreferenceRetracted } from '../events/types.ts';
import { supersededIn } from '../journal/erase/events.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import { segmentName } from '../journal/format/layout.ts';
import { allSegments } from '../journal/read/all-entries.ts';
import { homeOf } from '../journal/read/origins.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { isAccount } from './own-names.ts';
import type { Found, FoundEvent } from './plan.ts';
import { aboutOf } from './search-text.ts';
import { Transcripts } from './transcripts.ts';

/** Events by their seqs, of the journal's own origin. */
export interface Chosen {
  /** Each of them has to be there. */
  seqs: readonly number[];
  /** First and last: what is there from one to the other. */
  ranges?: readonly (readonly [number, number])[];
}

/**
 * Events by their seqs, and what says the same again: repeats under the same id, what other witnesses added to the fact, what
 * stands for it since an earlier erasure, and what retracted a preference that it stated.
 * @throws Ben10Error POINT_NOT_FOUND when one of them is not in the journal, or nothing of a range
 */
export function searchSeqs(project: Project, chosen: Chosen): Found {
  const { ports, layout, decoders } = project;
  const own = homeOf(ports, layout)?.origin;
  const { seqs: wanted, ids } = wantedOf(ownSegments(project), chosen);
  const events: FoundEvent[] = [];
  let searched = 0;
  const unsearched: string[] = [];
  const transcripts = new Transcripts();
  for (const { file, entries, isWhole } of allSegments(ports, layout, decoders)) {
    if (!isWhole) unsearched.push(segmentName(file));
    for (const entry of entries) {
      if (entry.kind !== FRAME_KIND.event) continue;
      searched += 1;
      transcripts.saw(entry);
      if (file.origin !== own || !isWanted(entry, wanted, ids)) continue;
      const about = aboutOf(entry);
      if (isAccount(about.type)) continue;
      transcripts.wants(entry);
      events.push({ origin: file.origin, seq: entry.seq, ...about });
    }
  }
  return { events, searched, blobs: [], unsearched, transcripts: transcripts.paths() };
}

/** Whose events these are. @throws as `searchSeqs` */
export function sessionsOf(project: Project, chosen: Chosen): Set<string> {
  const { seqs } = wantedOf(ownSegments(project), chosen);
  const sessions = new Set<string>();
  for (const { entry, event } of ownEvents(project))
    if (seqs.has(entry.seq) && event.session !== null) sessions.add(event.session);
  return sessions;
}

function* ownSegments({ ports, layout, decoders }: Project) {
  const own = homeOf(ports, layout)?.origin;
  for (const one of allSegments(ports, layout, decoders)) if (one.file.origin === own) yield one;
}

/** All events of the journal's own origin that can be read. */
export function* ownEvents(project: Project): Generator<{ entry: Entry; event: JournalEvent }> {
  for (const { entries } of ownSegments(project)) {
    for (const entry of entries) {
      const event = entry.kind === FRAME_KIND.event ? decodeEvent(entry) : undefined;
      if (event !== undefined) yield { entry, event };
    }
  }
}

function wantedOf(segments: Iterable<{ entries: Entry[] }>, { seqs, ranges = [] }: Chosen) {
  const named = new Set(seqs);
  const wanted = { seqs: new Set<number>(), ids: new Set<string>() };
  const empty = new Set(ranges);
  for (const { entries } of segments) {
    for (const { seq, id } of entries) {
      const within = ranges.filter(([first, last]) => first <= seq && seq <= last);
      for (const range of within) empty.delete(range);
      if (within.length === 0 && !named.has(seq)) continue;
      wanted.seqs.add(seq);
      wanted.ids.add(id.toString('hex'));
    }
  }
  const missing = seqs.find((seq) => !wanted.seqs.has(seq));
  if (missing !== undefined) throw notThere(`@${missing}`);
  for (const [first, last] of empty) throw notThere(`@${first}..@${last}`);
  return wanted;
}

const notThere = (what: string): Ben10Error =>
  new Ben10Error('POINT_NOT_FOUND', `there is no event ${what} in this journal`, {
    next: 'See which there are: ben10 log',
  });

function isWanted(entry: Entry, wanted: ReadonlySet<number>, ids: ReadonlySet<string>): boolean {
  if (wanted.has(entry.seq) || ids.has(entry.id.toString('hex'))) return true;
  const superseded = supersededIn(entry);
  if (superseded !== undefined) return wanted.has(superseded.seq);
  const event = decodeEvent(entry);
  if (event === undefined || !hasShape(event)) return false;
  if (event.type === 'preference.retracted')
    return wanted.has(Number.parseInt((event.data as PreferenceRetracted).key, 10));
  return event.type === 'fact.enriched' && ids.has((event.data as FactEnriched).of);
}
