import { hasShape } from '../events/shape.ts';
import type { EventSuperseded, JournalBased, Text } from '../events/types.ts';
import { SUPERSEDED_TYPE } from '../journal/erase/events.ts';
import type { Envelope } from '../journal/format/envelope.ts';
import { ERASED, type Finder } from './finder.ts';

export const BASED_TYPE = 'journal.based';

/** Texts beside the journal, as `redact-event.ts` has them. */
interface StateBlobs {
  read(name: string): string | undefined;
  write(text: string): string;
}

type State = Record<string, unknown>;

/** What a `journal.based` event holds; undefined of any other. */
export function basedIn(told: Told): JournalBased | undefined {
  const isOne = told.type === BASED_TYPE && hasShape(told);
  return isOne ? (told.data as JournalBased) : undefined;
}

type Told = Pick<Envelope, 'type' | 'version' | 'data'>;

/** What an event says: of one that stands for another, that one. */
export const innerOf = <T extends Told>(envelope: T): T | Envelope =>
  envelope.type === SUPERSEDED_TYPE && hasShape(envelope)
    ? (envelope.data as EventSuperseded).event
    : envelope;

/** The same event that says something else. */
export const withInner = (envelope: Envelope, inner: Envelope): Envelope =>
  innerOf(envelope) === envelope
    ? inner
    : { ...envelope, data: { ...(envelope.data as EventSuperseded), event: inner } };

/**
 * The same without what is looked for. A state is JSON in one text: it is searched text by text, so that what was erased in one
 * leaves the others alone, and the whole of it JSON. The very same where it has none of it.
 */
export function basedWithoutIt(
  based: JournalBased,
  finder: Pick<Finder, 'stateWithoutIt'>,
  blobs: StateBlobs,
) {
  return withState(based, blobs, (state) => {
    const left = finder.stateWithoutIt(state) as State;
    return Object.is(left, state) ? state : (withoutHints(left) as State);
  });
}

/** @param change the very same state where there is nothing to change */
function withState(
  based: JournalBased,
  blobs: StateBlobs,
  change: (state: State) => State,
): JournalBased {
  const json = jsonOf(based.state, blobs);
  const state = json === undefined ? undefined : parsed(json);
  if (state === undefined) return based;
  const changed = change(state);
  return Object.is(changed, state)
    ? based
    : { ...based, state: textOf(based.state, JSON.stringify(changed), blobs) };
}

const jsonOf = (text: Text, { read }: StateBlobs): string | undefined =>
  typeof text === 'string' ? text : read(text.$blob);

/** Beside the journal stays beside it: it is a little shorter or longer now. */
const textOf = (before: Text, json: string, { write }: StateBlobs): Text =>
  typeof before === 'string'
    ? json
    : { $blob: write(json), bytes: Buffer.byteLength(json), head: '' };

/** Undefined when it is no JSON object: then nobody can read it. */
export function parsed(json: string): State | undefined {
  try {
    const state: unknown = JSON.parse(json);
    return typeof state === 'object' && state !== null && !Array.isArray(state)
      ? (state as State)
      : undefined;
  } catch {
    return undefined;
  }
}

/** What would confirm a guess: marks of prompts begin with the text's length, and files are known by digests of their contents. */
function withoutHints(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutHints);
  const fields = Object.entries(value).map(([name, one]) => {
    if (name === 'mark' && typeof one === 'string' && one.includes(ERASED)) return [name, ERASED];
    const isDigest = name === 'hash' || (name === 'known' && Object.hasOwn(one ?? {}, 'hash'));
    return [name, isDigest ? null : withoutHints(one)];
  });
  return Object.fromEntries(fields);
}
