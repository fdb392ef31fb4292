import { decodeEvent } from '../events/decode.ts';
import type { FactEnriched } from '../events/types.ts';
import { supersededIn } from '../journal/erase/events.ts';
import { blobReferences } from '../journal/format/blob-references.ts';
import { decodeEnvelope } from '../journal/format/envelope.ts';
import type { Entry } from '../journal/format/frame.ts';
import type { Project } from '../project/open.ts';
import { ERASED } from '../projections/safe-text.ts';
import { basedIn, basedWithoutIt, innerOf, withInner } from './based.ts';
import { contentOf, isFields, without } from './content.ts';
import { changed } from './finder.ts';
import { withoutPieces } from './pieces.ts';
import type { FoundEvent } from './plan.ts';
import type { Blobs } from './redact-event.ts';
import { ownEvents } from './search.ts';

/** Fields that place an event: states contain them for every event. */
const PLACING = new Set(
  'name model role kind trigger source reason agentType cwd worktree transcriptPath'.split(' '),
);
/** Shorter lines occur everywhere. */
const LINE_CHARS_MIN = 8;
const LINES_MAX = 5000;

/**
 * The found events, and states of dropped events that repeat a line of a found one: nobody knows which text of a
 * state came from it.
 * @param found each goes as a whole
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

/** Whether a state up to there may contain it: it came before, or adds to a fact. */
function isOld(entry: Entry, upto: number): boolean {
  const seq = supersededIn(entry)?.seq ?? entry.seq;
  return seq <= upto || decodeEvent(entry)?.type === 'fact.enriched';
}

/** Lines of an event as states have them, blobs included. */
function* linesOf({ payload }: Entry, blobs: Blobs): Generator<string> {
  const { type, data } = innerOf(decodeEnvelope(payload));
  const fields = type === 'fact.enriched' ? (data as FactEnriched).more : data;
  const left = isFields(fields) ? without(fields, (name) => PLACING.has(name)) : fields;
  const beside = blobReferences(payload).flatMap((name) => blobs.read(name) ?? []);
  for (const text of [...contentOf({ type, data: left }), ...beside])
    for (const line of text.split('\n').map((one) => one.trim()))
      if (line.length >= LINE_CHARS_MIN) yield* [line, line.replace(/\s+/g, ' ')];
}
