import { decodeEvent } from '../events/decode.ts';
import { decodeEnvelope, type Envelope } from '../journal/format/envelope.ts';
import { allSegments } from '../journal/read/all-entries.ts';
import { homeOf } from '../journal/read/origins.ts';
import type { Project } from '../project/open.ts';
import { BASED_TYPE, basedIn, innerOf, withInner, withState } from './based.ts';
import type { FoundEvent } from './found.ts';
import type { Blobs } from './redact-event.ts';

type State = Record<string, unknown>;

/** A state that stands for dropped events, or for one that was changed since. */
interface Base {
  seq: number;
  envelope: Envelope;
}

/**
 * The found events, and the states that stand for dropped ones as far as they have digests of texts that may hold what is
 * erased: of them nobody can tell any more which. Keys of recall go from every session, ends of transcripts and names of
 * files' contents from the sessions of found events.
 * @param found with what stands for each
 */
export function withBasedDigests(
  project: Project,
  found: readonly FoundEvent[],
  blobs: Blobs,
): FoundEvent[] {
  const { ports, layout, decoders } = project;
  const origin = homeOf(ports, layout)?.origin;
  const own = new Map(found.filter((one) => one.origin === origin).map((one) => [one.seq, one]));
  const bases: Base[] = [];
  /** Of found events: the seq that they count as, and the session. */
  const told: { seq: number; session: string | null }[] = [];
  for (const { file, entries } of own.size === 0 ? [] : allSegments(ports, layout, decoders)) {
    if (file.origin !== origin) continue;
    for (const entry of entries) {
      const event = decodeEvent(entry);
      if (event === undefined) continue;
      const { type, session } = innerOf(event);
      if (own.has(entry.seq)) told.push({ seq: type === BASED_TYPE ? 0 : entry.seq, session });
      if (type !== BASED_TYPE) continue;
      const left = own.has(entry.seq)
        ? own.get(entry.seq)!.replacement
        : decodeEnvelope(entry.payload);
      if (left === undefined) continue;
      bases.push({ seq: entry.seq, envelope: left });
    }
  }
  const known = new Map(found.map((one) => [`${one.origin} ${one.seq}`, one]));
  for (const base of bases) {
    const changed = withoutDigests(base, told, blobs);
    if (changed === undefined) continue;
    const { type, at } = changed;
    const place = `${origin} ${base.seq}`;
    const isDigest = known.has(place) ? {} : { isDigest: true as const };
    known.set(place, {
      ...known.get(place),
      origin: origin!,
      seq: base.seq,
      type,
      at,
      ...isDigest,
      replacement: changed,
    });
  }
  return [...known.values()].sort((a, b) => a.seq - b.seq);
}

/** Undefined when it has none. */
function withoutDigests(
  { envelope }: Base,
  told: readonly { seq: number; session: string | null }[],
  blobs: Blobs,
): Envelope | undefined {
  const inner = innerOf(envelope);
  const based = basedIn(inner);
  const old = told.filter(({ seq }) => based !== undefined && seq <= based.upto);
  if (based === undefined || old.length === 0) return undefined;
  const isOfSession = old.some(({ session }) => session === inner.session);
  const data = withState(based, blobs, (state) => {
    const left = bare(based.projection, state, isOfSession);
    return JSON.stringify(left) === JSON.stringify(state) ? state : left;
  });
  if (Object.is(data, based)) return undefined;
  return withInner(envelope, { ...inner, data });
}

function bare(projection: string, state: State, isOfSession: boolean): State {
  if (projection === 'recall-use')
    return {
      ...state,
      given: listOf(state.given, (one) => ({ ...one, keys: [] })),
      told: isFields(state.told) ? { ...state.told, keys: [] } : null,
    };
  if (projection === 'cursors') {
    const threads = fieldsOf(state.threads, (one) => ({ ...one, tail: '' }));
    const shown = Array.isArray(state.shown) ? [] : null;
    return { ...state, injected: [], shown, ...(isOfSession && { threads }) };
  }
  return projection === 'context' && isOfSession ? withoutContents(state) : state;
}

/** Also of what a clear set aside. */
function withoutContents(state: State): State {
  const { files, cleared } = state as { files?: State; cleared?: { aside?: State } | null };
  const left = fieldsOf(files?.files, (one) => ({
    ...one,
    known: null,
    merged: isFields(one.merged) ? { ...one.merged, hash: null } : one.merged,
  }));
  const aside = cleared?.aside && {
    cleared: { ...cleared, aside: withoutContents(cleared.aside) },
  };
  return { ...state, files: { ...files, files: left }, ...aside };
}

const isFields = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown, change: (one: State) => State): unknown =>
  Array.isArray(value) ? value.map((one) => (isFields(one) ? change(one) : one)) : value;

const fieldsOf = (value: unknown, change: (one: State) => State): unknown =>
  isFields(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, isFields(one) ? change(one) : one]),
      )
    : value;
