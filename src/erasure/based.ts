import { hasShape } from '../events/shape.ts';
import type { JournalBased, Text } from '../events/types.ts';
import type { Envelope } from '../journal/envelope.ts';
import { ERASED, type Finder } from './finder.ts';

export const BASED_TYPE = 'journal.based';

/** Texts beside the journal, as `redact-event.ts` has them. */
interface StateBlobs {
  read(name: string): string | undefined;
  write(text: string): string;
}

type State = Record<string, unknown>;

/** What a `journal.based` event holds; undefined of any other. */
export function basedIn({ type, version, data }: Pick<Envelope, 'type' | 'version' | 'data'>) {
  const isOne = type === BASED_TYPE && hasShape({ type, version, data });
  return isOne ? (data as JournalBased) : undefined;
}

/**
 * The same without what is looked for. A state is JSON in one text: it is searched text by text, so that what was erased in one
 * leaves the others alone, and the whole of it JSON. The very same where it has none of it.
 */
export function basedWithoutIt(based: JournalBased, finder: Finder, blobs: StateBlobs) {
  return withState(based, blobs, (state) => {
    const left = finder.stateWithoutIt(state) as State;
    return Object.is(left, state) ? state : withoutLengths(left);
  });
}

/** @param change the very same state where there is nothing to change */
export function withState(
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

/** The marks of prompts begin with the length of the whole text: it says how long that was which is erased. */
function withoutLengths(state: State): State {
  const withoutLength = (one: unknown) => {
    const { mark } = (one ?? {}) as { mark?: unknown };
    return typeof mark === 'string' && mark.includes(ERASED)
      ? { ...(one as object), mark: ERASED }
      : one;
  };
  const lists = ['prompts', 'compactions'].filter((name) => Array.isArray(state[name]));
  const fields = lists.map((name) => [name, (state[name] as unknown[]).map(withoutLength)]);
  return { ...state, ...Object.fromEntries(fields) };
}
