import { SUPERSEDED_TYPE } from '../journal/erase/events.ts';
import { BASED_TYPE, parsed } from './based.ts';
import { BLOB_NAME } from './finder.ts';
import { isNaming, isOwnType, OWN_FIELDS } from './own-names.ts';

/** Fields of hooks that are kept whole, as the client calls them, which hold its ids. */
const NAMING_HOOK = new Set(
  'session_id agent_id prompt_id tool_use_id tool_use_ids hook_event_name'.split(' '),
);

/** What a person could call the content of an event: all its texts but the ids of sessions, agents, calls and records. */
export function* contentOf({ type, data }: { type: string; data: unknown }): Generator<string> {
  if (!isFields(data)) return yield* stringsIn(data);
  if (type === BASED_TYPE) return yield* textsOfState(data.state);
  if (type === SUPERSEDED_TYPE && isFields(data.event))
    return yield* contentOf(data.event as { type: string; data: unknown });
  const { payload, ...fields } = data;
  yield* stringsIn(without(fields, (name, value) => isNaming(type, name, value)));
  yield* stringsIn(isFields(payload) ? without(payload, (name) => NAMING_HOOK.has(name)) : payload);
}

export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array);

export const without = (
  value: Record<string, unknown>,
  isLeftOut: (name: string, value: unknown) => boolean,
) => Object.fromEntries(Object.entries(value).filter(([key, one]) => !isLeftOut(key, one)));

/** A state is JSON: a pattern is met with its texts, not with all of them in one line. */
export function* textsOfState(json: unknown): Generator<string> {
  if (typeof json === 'string') yield* stringsIn(parsed(json) ?? json);
}

/** Without the names that ben10 gave itself. The depth is the format's, which decoding has checked. */
function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (!isOwnType(value)) yield value;
  } else if (value instanceof Uint8Array) yield Buffer.from(value).toString('utf8');
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      if (!OWN_FIELDS.has(key) && !Array.isArray(value)) yield key;
      const isBlob = key === '$blob' && typeof one === 'string' && BLOB_NAME.test(one);
      if (!isBlob) yield* stringsIn(one);
    }
  }
}
