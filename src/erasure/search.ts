import { decodeEvent, headIn } from '../events/decode.ts';
import type { JournalEvent } from '../events/types.ts';
import type { Envelope } from '../journal/format/envelope.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import { segmentName } from '../journal/format/layout.ts';
import { allSegments } from '../journal/read/all-entries.ts';
import { homeOf } from '../journal/read/origins.ts';
import type { Project } from '../project/open.ts';
import { isAccount } from './own-names.ts';
import type { Found, FoundEvent } from './plan.ts';
import { Transcripts } from './transcripts.ts';

/** What becomes of an event: it stays, is replaced, or goes as a whole. */
export type Fate = 'stays' | 'goes' | { replacement: Envelope };

/**
 * Events that do not stay, in any segment of any origin.
 * @param fateOf is asked for all but the journal's own events
 */
export function searchEvents(
  { ports, layout, decoders }: Project,
  fateOf: (entry: Entry, isOwn: boolean) => Fate,
): Found {
  const events: FoundEvent[] = [];
  let searched = 0;
  const unsearched: string[] = [];
  const transcripts = new Transcripts();
  const own = homeOf(ports, layout)?.origin;
  for (const { file, entries, isWhole } of allSegments(ports, layout, decoders)) {
    if (!isWhole) unsearched.push(segmentName(file));
    const isOwn = file.origin === own;
    for (const entry of entries) {
      if (entry.kind !== FRAME_KIND.event) continue;
      searched += 1;
      transcripts.saw(entry);
      const { type = null, at = null } = headIn(entry.payload) ?? {};
      const fate = isAccount(type) ? 'stays' : fateOf(entry, isOwn);
      if (fate === 'stays') continue;
      transcripts.wants(entry);
      // Nobody reads another origin's events here, so they need no replacement.
      const more = fate === 'goes' || !isOwn ? {} : fate;
      events.push({ origin: file.origin, seq: entry.seq, type, at, ...more });
    }
  }
  return { events, searched, blobs: [], unsearched, transcripts: transcripts.paths() };
}

/** All entries of the journal's own origin. */
export function* ownEntries({ ports, layout, decoders }: Project): Generator<Entry> {
  const own = homeOf(ports, layout)?.origin;
  for (const { file, entries } of allSegments(ports, layout, decoders))
    if (file.origin === own) yield* entries;
}

/** Those that are readable events. */
export function* ownEvents(project: Project): Generator<{ entry: Entry; event: JournalEvent }> {
  for (const entry of ownEntries(project)) {
    const event = entry.kind === FRAME_KIND.event ? decodeEvent(entry) : undefined;
    if (event !== undefined) yield { entry, event };
  }
}
