import { decodeEvent } from '../events/decode.ts';
import type { FactEnriched } from '../events/types.ts';
import { supersededIn } from '../journal/erase/events.ts';
import { blobReferences } from '../journal/format/blob-references.ts';
import { decodeEnvelope, type Envelope } from '../journal/format/envelope.ts';
import type { Entry } from '../journal/format/frame.ts';
import { allSegments } from '../journal/read/all-entries.ts';
import { homeOf } from '../journal/read/origins.ts';
import type { Project } from '../project/open.ts';
import { basedIn, basedWithoutIt, innerOf, withInner } from './based.ts';
import { contentOf } from './content.ts';
import { changed } from './finder.ts';
import type { FoundEvent } from './found.ts';
import { withDigestsOf } from './own-digests.ts';
import type { Blobs } from './redact-event.ts';
import { Wording } from './wording.ts';

/** Fields of an event's own data that say what it is and where: states have them of every event. */
const PLACING = new Set(
  'name model role kind trigger source reason agentType cwd worktree transcriptPath'.split(' '),
);

/**
 * The found events, and the states that stand for dropped ones as far as they say what a found event says: a drop had kept
 * it, or it tells again what was dropped. Where somebody worked, and the names of tools and models, stay.
 * @param found all of each goes
 */
export function withBasedWording(
  project: Project,
  found: readonly FoundEvent[],
  blobs: Blobs,
): FoundEvent[] {
  const upto = project.states.dropped()?.upto;
  if (upto === undefined || found.length === 0) return [...found];
  const { targets, bases, names } = readOwn(project, found, upto);
  const texts = targets.flatMap((entry) => [...textsOf(entry, blobs)]);
  if (texts.length === 0) return [...found];
  const wording = new Wording(texts, names);
  const take = withDigestsOf((text) => wording.takenFrom(text));
  const stateWithoutIt = (state: unknown) => changed(state, take, () => false);
  const more = bases.flatMap((entry): FoundEvent[] => {
    const envelope = decodeEnvelope(entry.payload);
    const inner = innerOf(envelope);
    const based = basedIn(inner)!;
    const data = basedWithoutIt(based, { stateWithoutIt }, blobs);
    if (Object.is(data, based)) return [];
    const { type, at } = envelope;
    const replacement = withInner(envelope, { ...inner, data });
    return [{ origin: found[0]!.origin, seq: entry.seq, type, at, isWording: true, replacement }];
  });
  return [...found, ...more].sort((a, b) => a.seq - b.seq);
}

/** Of the journal's own origin: what may be in the states, these, and names that must stay. */
function readOwn(project: Project, found: readonly FoundEvent[], upto: number) {
  const { ports, layout, decoders, dir, root } = project;
  const origin = homeOf(ports, layout)?.origin;
  const seqs = new Set(found.map(({ seq }) => seq));
  const old = new Set<string>();
  const targets: Entry[] = [];
  const bases: Entry[] = [];
  const names = new Set([dir, root]);
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    if (file.origin !== origin) continue;
    for (const entry of entries) {
      // Tombstones too: a fact is told again under its id.
      if (entry.seq <= upto) old.add(entry.id.toString('hex'));
      const event = decodeEvent(entry);
      if (event === undefined) continue;
      for (const name of [event.session, event.agent]) if (name !== null) names.add(name);
      if (!seqs.has(entry.seq)) {
        if (basedIn(innerOf(event)) !== undefined) bases.push(entry);
      } else if (isOld(entry, upto, old)) targets.push(entry);
    }
  }
  return { targets, bases, names: [...names] };
}

function isOld(entry: Entry, upto: number, old: ReadonlySet<string>): boolean {
  if (old.has(entry.id.toString('hex'))) return true;
  const superseded = supersededIn(entry);
  if (superseded !== undefined) return superseded.seq <= upto;
  const event = decodeEvent(entry);
  return event?.type === 'fact.enriched' && old.has((event.data as FactEnriched).of);
}

/** What an event says, what lies beside it included. */
function* textsOf({ payload }: Entry, blobs: Blobs): Generator<string> {
  yield* contentOf(withoutPlaces(innerOf(decodeEnvelope(payload))));
  for (const name of blobReferences(payload)) {
    const text = blobs.read(name);
    if (text !== undefined) yield text;
  }
}

function withoutPlaces({ type, data }: Pick<Envelope, 'type' | 'data'>) {
  const fields = type === 'fact.enriched' ? (data as FactEnriched).more : data;
  const left = Object.entries(fields ?? {}).filter(([key]) => !PLACING.has(key));
  return { type, data: Object.fromEntries(left) };
}
