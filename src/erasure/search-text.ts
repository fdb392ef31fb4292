import { listBlobs } from '../journal/append/blobs.ts';
import { blobReferences } from '../journal/format/blob-references.ts';
import { decodeEnvelope } from '../journal/format/envelope.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import { allSegments } from '../journal/read/all-entries.ts';
import type { Project } from '../project/open.ts';
import { BASED_TYPE, innerOf, parsed } from './based.ts';
import { contentOf, textsOfState } from './content.ts';
import type { Finder } from './finder.ts';
import { isAccount } from './own-names.ts';
import { saidInPayloads } from './payload-texts.ts';
import type { Found } from './plan.ts';
import { type Blobs, blobReader, fateOf } from './redact-event.ts';
import { searchEvents } from './search.ts';
import { nameOfEvent, type Searched } from './searched.ts';

/** Events that hold it, with their replacements, and blobs that hold it and that no event names. */
export function searchText(project: Project, finder: Finder, blobs: Blobs, known: Searched): Found {
  const { ports, layout } = project;
  const named = new Set<string>();
  const found = searchEvents(project, (entry) => {
    for (const name of blobReferences(entry.payload)) named.add(name);
    const name = nameOfEvent(entry);
    if (known.isClean(name)) return 'stays';
    const fate = fateOf(entry.payload, finder, blobs);
    if (fate === 'stays') known.noteClean(name);
    return fate;
  });
  const isHeld = (text: string | undefined) =>
    text !== undefined && finder.withoutIt(text) !== text;
  const orphans = listBlobs(ports, layout).filter(
    (name) => !named.has(name) && known.holds(name, () => isHeld(blobs.read(name))),
  );
  return { ...found, blobs: orphans };
}

/** The texts of an event or blob. */
export interface Said {
  /** Its content, without names that clients gave. */
  texts: Iterable<string>;
  data: unknown;
}

/** All new texts in events, blobs and payloads of packs, to match a pattern or rule with. */
export function* saidIn(project: Project, searched: Searched): Generator<Said> {
  const { ports, layout, decoders } = project;
  const states = new Set<string>();
  const read = blobReader(project);
  for (const { entries } of allSegments(ports, layout, decoders)) {
    for (const entry of entries) {
      const isEvent = entry.kind === FRAME_KIND.event;
      if (isEvent && searched.isNew(nameOfEvent(entry))) yield saidBy(entry.payload, states);
    }
  }
  for (const name of listBlobs(ports, layout)) {
    if (!searched.isNew(name)) continue;
    const text = read(name);
    if (text === undefined) continue;
    yield states.has(name)
      ? { texts: textsOfState(text), data: parsed(text) ?? text }
      : { texts: [text], data: text };
  }
  yield* saidInPayloads(project, searched);
}

/** @param states collects the blobs that hold a state */
function saidBy(payload: Buffer, states: Set<string>): Said {
  try {
    const envelope = decodeEnvelope(payload);
    if (isAccount(envelope.type)) return { texts: [], data: null };
    const isState = innerOf(envelope).type === BASED_TYPE;
    if (isState) for (const name of blobReferences(payload)) states.add(name);
    return { texts: contentOf(envelope), data: envelope.data };
  } catch {
    const text = payload.toString('utf8');
    return { texts: [text], data: text };
  }
}
