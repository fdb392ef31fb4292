import type { EventSuperseded } from '../events/types.ts';
import { getBlob, listBlobs } from '../journal/append/blobs.ts';
import { blobReferences } from '../journal/format/blob-references.ts';
import { decodeEnvelope, decodeHead, type Envelope } from '../journal/format/envelope.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import { segmentName } from '../journal/format/layout.ts';
import { allSegments } from '../journal/read/all-entries.ts';
import { homeOf } from '../journal/read/origins.ts';
import type { Project } from '../project/open.ts';
import { BASED_TYPE, parsed } from './based.ts';
import { contentOf, textsOfState } from './content.ts';
import type { Finder } from './finder.ts';
import { isAccount } from './own-names.ts';
import type { Found, FoundEvent } from './plan.ts';
import { type Blobs, fateOf } from './redact-event.ts';
import { nameOfEvent, type Searched } from './searched.ts';
import { Transcripts } from './transcripts.ts';

/** Every event that holds what is looked for, in any segment of any origin, with what is going to stand for it. */
export function searchText(project: Project, finder: Finder, blobs: Blobs, known: Searched): Found {
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
      if (isAccount(about.type)) continue;
      const name = nameOfEvent(entry);
      if (known.isClean(name)) continue;
      const fate = fateOf(entry.payload, finder, blobs);
      if (fate === 'stays') {
        known.noteClean(name);
        continue;
      }
      transcripts.wants(entry);
      // Another origin's events are read by nobody here, so nothing has to stand for them.
      const more = fate === 'goes' || file.origin !== own ? {} : fate;
      events.push({ origin: file.origin, seq: entry.seq, ...about, ...more });
    }
  }
  const orphans = listBlobs(ports, layout).filter((name) => {
    if (named.has(name) || known.isClean(name)) return false;
    const text = getBlob(ports, layout, name, decoders);
    const isHeld = text !== undefined && finder.isIn(text);
    if (!isHeld) known.noteClean(name);
    return isHeld;
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

/** What an event says, or a text beside the journal. */
export interface Said {
  /** As a person would call them: without names that clients gave. */
  texts: Iterable<string>;
  data: unknown;
}

/** All of the journal that is new, of events and beside them: what a pattern or a rule is met with first. */
export function* saidIn(project: Project, searched: Searched): Generator<Said> {
  const { ports, layout, decoders } = project;
  const states = new Set<string>();
  for (const { entries } of allSegments(ports, layout, decoders)) {
    for (const entry of entries) {
      const isEvent = entry.kind === FRAME_KIND.event;
      if (isEvent && searched.isNew(nameOfEvent(entry))) yield saidBy(entry.payload, states);
    }
  }
  for (const name of listBlobs(ports, layout)) {
    if (!searched.isNew(name)) continue;
    const text = getBlob(ports, layout, name, decoders)?.toString('utf8');
    if (text === undefined) continue;
    yield states.has(name)
      ? { texts: textsOfState(text), data: parsed(text) ?? text }
      : { texts: [text], data: text };
  }
}

/** @param states is told the names of blobs that hold a state */
function saidBy(payload: Buffer, states: Set<string>): Said {
  try {
    const envelope = decodeEnvelope(payload);
    if (isAccount(envelope.type)) return { texts: [], data: null };
    if (isBased(envelope)) for (const name of blobReferences(payload)) states.add(name);
    return { texts: contentOf(envelope), data: envelope.data };
  } catch {
    const text = payload.toString('utf8');
    return { texts: [text], data: text };
  }
}

/** Also of what stands for such an event since an erasure. */
function isBased({ type, data }: Envelope): boolean {
  return type === BASED_TYPE || (data as EventSuperseded | null)?.event?.type === BASED_TYPE;
}
