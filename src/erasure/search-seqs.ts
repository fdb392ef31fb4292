import { decodeEvent } from '../events/decode.ts';
import type { FactEnriched } from '../events/types.ts';
import { allSegments } from '../journal/all-entries.ts';
import { supersededIn } from '../journal/erase-events.ts';
import { FRAME_KIND } from '../journal/format.ts';
import type { Entry } from '../journal/frame.ts';
import { segmentName } from '../journal/layout.ts';
import { homeOf } from '../journal/origins.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import type { Found, FoundEvent } from './found.ts';
import { aboutOf } from './search-text.ts';
import { Transcripts } from './transcripts.ts';

/**
 * Events by their seqs, and what says the same again: repeats under the same id, what other witnesses added to the fact,
 * and what stands for it since an earlier erasure.
 * @param seqs of the journal's own origin
 * @throws Ben10Error POINT_NOT_FOUND when one of them is not in the journal
 */
export function searchSeqs(project: Project, seqs: readonly number[]): Found {
  const { ports, layout, decoders } = project;
  const own = homeOf(ports, layout)?.origin;
  const wanted = new Set(seqs);
  const segments = () => ownSegments(project, own);
  const ids = idsOf(segments(), wanted);
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
      transcripts.wants(entry);
      events.push({ origin: file.origin, seq: entry.seq, ...aboutOf(entry) });
    }
  }
  return { events, searched, blobs: [], unsearched, transcripts: transcripts.paths() };
}

function* ownSegments({ ports, layout, decoders }: Project, own: string | undefined) {
  for (const one of allSegments(ports, layout, decoders)) if (one.file.origin === own) yield one;
}

function idsOf(segments: Iterable<{ entries: Entry[] }>, wanted: ReadonlySet<number>): Set<string> {
  const ids = new Set<string>();
  const missing = new Set(wanted);
  for (const { entries } of segments) {
    for (const { seq, id } of entries) {
      if (!wanted.has(seq)) continue;
      ids.add(id.toString('hex'));
      missing.delete(seq);
    }
  }
  const [first] = missing;
  if (first === undefined) return ids;
  throw new Ben10Error('POINT_NOT_FOUND', `there is no event @${first} in this journal`, {
    next: 'See which there are: ben10 log',
  });
}

function isWanted(entry: Entry, wanted: ReadonlySet<number>, ids: ReadonlySet<string>): boolean {
  if (wanted.has(entry.seq) || ids.has(entry.id.toString('hex'))) return true;
  const superseded = supersededIn(entry);
  if (superseded !== undefined) return wanted.has(superseded.seq);
  const event = decodeEvent(entry);
  return event?.type === 'fact.enriched' && ids.has((event.data as FactEnriched).of);
}
