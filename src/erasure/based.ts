import { hasShape } from '../events/shape.ts';
import type { EventSuperseded, JournalBased } from '../events/types.ts';
import { SUPERSEDED_TYPE } from '../journal/erase/events.ts';
import type { Envelope } from '../journal/format/envelope.ts';
import { ERASED } from '../projections/safe-text.ts';
import type { Finder } from './finder.ts';
import type { Blobs } from './redact-event.ts';

export const BASED_TYPE = 'journal.based';

type State = Record<string, unknown>;

/** The data of a `journal.based` event; undefined for others. */
export function basedIn(envelope: Typed): JournalBased | undefined {
  const isOne = envelope.type === BASED_TYPE && hasShape(envelope);
  return isOne ? (envelope.data as JournalBased) : undefined;
}

type Typed = Pick<Envelope, 'type' | 'version' | 'data'>;

/** The event itself, or the one inside of an event that replaces another. */
export const innerOf = <T extends Typed>(envelope: T): T | Envelope =>
  envelope.type === SUPERSEDED_TYPE && hasShape(envelope)
    ? (envelope.data as EventSuperseded).event
    : envelope;

/** The same envelope with another inner event. */
export const withInner = (envelope: Envelope, inner: Envelope): Envelope =>
  innerOf(envelope) === envelope
    ? inner
    : { ...envelope, data: { ...(envelope.data as EventSuperseded), event: inner } };

/**
 * The same without what is erased. A state is JSON in one text: it is changed text by text, so that it stays JSON.
 * Returns `based` itself if it has none.
 */
export function basedWithoutIt(
  based: JournalBased,
  finder: Pick<Finder, 'stateWithoutIt'>,
  blobs: Blobs,
): JournalBased {
  const { state: text } = based;
  const json = typeof text === 'string' ? text : blobs.read(text.$blob);
  const state = json === undefined ? undefined : parsed(json);
  const changed = state && finder.stateWithoutIt(state);
  if (Object.is(changed, state)) return based;
  const left = JSON.stringify(withoutHints(changed));
  if (typeof text === 'string') return { ...based, state: left };
  // A blob stays a blob, whatever its new size.
  return {
    ...based,
    state: { $blob: blobs.write(left), bytes: Buffer.byteLength(left), head: '' },
  };
}

/** Undefined if it is no JSON object. */
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

/** Without what could confirm a guess: marks of prompts begin with the text's length, and files have digests. */
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
