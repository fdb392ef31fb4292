import { allSegments } from '../journal/all-entries.ts';
import { blobReferences } from '../journal/blob-references.ts';
import { getBlob, listBlobs } from '../journal/blobs.ts';
import { decodeEnvelope, decodeHead } from '../journal/envelope.ts';
import { DONE_TYPE, REQUESTED_TYPE } from '../journal/erase-events.ts';
import { FRAME_KIND } from '../journal/format.ts';
import type { Entry } from '../journal/frame.ts';
import { segmentName } from '../journal/layout.ts';
import { homeOf } from '../journal/origins.ts';
import type { Project } from '../project/open.ts';
import { contentOf } from './content.ts';
import type { Finder } from './finder.ts';
import type { Found, FoundEvent } from './found.ts';
import { type Blobs, fateOf } from './redact-event.ts';
import { Transcripts } from './transcripts.ts';

/** Every event that holds what is looked for, in any segment of any origin, with what is going to stand for it. */
export function searchText(project: Project, finder: Finder, blobs: Blobs): Found {
  const { ports, layout, decoders } = project;
  const events: FoundEvent[] = [];
  let searched = 0;
  const unsearched: string[] = [];
  const named = new Set<string>();
  const transcripts = new Transcripts();
  const own = homeOf(ports, layout)?.origin;
  for (const { file, entries, isWhole } of allSegments(ports, layout, decoders)) {
    if (!isWhole) unsearched.push(segmentName(file));
    for (const entry of entries) {
      if (entry.kind !== FRAME_KIND.event) continue;
      searched += 1;
      const about = aboutOf(entry);
      transcripts.saw(entry);
      const references = blobReferences(entry.payload);
      for (const name of references) named.add(name);
      if (about.type === REQUESTED_TYPE || about.type === DONE_TYPE) continue;
      const fate = fateOf(entry.payload, finder, blobs);
      if (fate === 'stays') continue;
      transcripts.wants(entry);
      // Another origin's events are read by nobody here, so nothing has to stand for them.
      const more = fate === 'goes' || file.origin !== own ? {} : fate;
      events.push({ origin: file.origin, seq: entry.seq, ...about, ...more });
    }
  }
  const orphans = listBlobs(ports, layout).filter((name) => {
    const text = named.has(name) ? undefined : getBlob(ports, layout, name, decoders);
    return text !== undefined && finder.isIn(text);
  });
  return { events, searched, blobs: orphans, unsearched, transcripts: transcripts.paths() };
}

export function aboutOf({ payload }: Entry): { type: string | null; at: number | null } {
  try {
    const { type, at } = decodeHead(payload);
    return { type, at };
  } catch {
    return { type: null, at: null };
  }
}

/** Every text of the journal, of events and beside them: what a pattern is met with first. */
export function* textsOf(project: Project): Generator<string> {
  const { ports, layout, decoders } = project;
  for (const { entries } of allSegments(ports, layout, decoders)) {
    for (const { kind, payload } of entries) if (kind === FRAME_KIND.event) yield* textsIn(payload);
  }
  for (const name of listBlobs(ports, layout)) {
    const text = getBlob(ports, layout, name, decoders);
    if (text !== undefined) yield text.toString('utf8');
  }
}

function* textsIn(payload: Buffer): Generator<string> {
  try {
    yield* contentOf(decodeEnvelope(payload));
  } catch {
    yield payload.toString('utf8');
  }
}
