import { decodeEvent } from '../events/decode.ts';
import type { FactEnriched } from '../events/types.ts';
import { supersededIn } from '../journal/erase/events.ts';
import { blobReferences } from '../journal/format/blob-references.ts';
import { decodeEnvelope } from '../journal/format/envelope.ts';
import type { Entry } from '../journal/format/frame.ts';
import type { Project } from '../project/open.ts';
import { basedIn, basedWithoutIt, innerOf, withInner } from './based.ts';
import { contentOf, isFields, without } from './content.ts';
import { changed, ERASED } from './finder.ts';
import { withoutPieces } from './pieces.ts';
import type { FoundEvent } from './plan.ts';
import type { Blobs } from './redact-event.ts';
import { ownEvents } from './search.ts';

/** Fields of an event's own data that say what it is and where: states have them of every event. */
const PLACING = new Set(
  'name model role kind trigger source reason agentType cwd worktree transcriptPath'.split(' '),
);
/** Shorter lines stand everywhere. */
const LINE_CHARS_MIN = 8;
const LINES_MAX = 5000;

/**
 * The found events, and the states that stand for dropped ones as far as they say a line of a found event: a drop had kept that
 * event, and nobody knows any more which text of a state came from it.
 * @param found all of each goes
 */
export function withStates(
  project: Project,
  found: readonly FoundEvent[],
  blobs: Blobs,
): FoundEvent[] {
  const upto = project.states.dropped()?.upto;
  if (upto === undefined || found.length === 0) return [...found];
  const seqs = new Set(found.map(({ seq }) => seq));
  const said = new Set<string>();
  const bases: Entry[] = [];
  for (const { entry, event } of ownEvents(project)) {
    if (!seqs.has(entry.seq)) {
      if (basedIn(innerOf(event)) !== undefined) bases.push(entry);
    } else if (isOld(entry, upto)) for (const line of linesOf(entry, blobs)) said.add(line);
  }
  if (said.size === 0) return [...found];
  const lines = [...said].sort((a, b) => b.length - a.length).slice(0, LINES_MAX);
  const without = (text: string) =>
    withoutPieces(
      lines.reduce((left, line) => left.replaceAll(line, ERASED), text),
      lines,
    );
  const stateWithoutIt = (state: unknown) => changed(state, without);
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

/** Whether what it says may be in a state of up to there: it came before, or says more of something. */
function isOld(entry: Entry, upto: number): boolean {
  const seq = supersededIn(entry)?.seq ?? entry.seq;
  return seq <= upto || decodeEvent(entry)?.type === 'fact.enriched';
}

/** What an event says, line by line, as states have it: what lies beside it included. */
function* linesOf({ payload }: Entry, blobs: Blobs): Generator<string> {
  const { type, data } = innerOf(decodeEnvelope(payload));
  const fields = type === 'fact.enriched' ? (data as FactEnriched).more : data;
  const left = isFields(fields) ? without(fields, (name) => PLACING.has(name)) : fields;
  const beside = blobReferences(payload).flatMap((name) => blobs.read(name) ?? []);
  for (const text of [...contentOf({ type, data: left }), ...beside])
    for (const line of text.split('\n').map((one) => one.trim()))
      if (line.length >= LINE_CHARS_MIN) yield* [line, line.replace(/\s+/g, ' ')];
}
