import { SUPERSEDED_TYPE } from '../journal/erase/events.ts';
import { BASED_TYPE, parsed } from './based.ts';
import { isBlobName } from './finder.ts';
import { isNaming, isOwnType, OWN_FIELDS } from './own-names.ts';

/** Ids in hooks that are stored as the client sent them. */
const NAMING_HOOK = new Set(
  'session_id agent_id prompt_id tool_use_id tool_use_ids hook_event_name'.split(' '),
);

/** What a person would call an event's content: all texts but the ids of sessions, agents, calls and records. */
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

/** A state is JSON: patterns are matched with its texts, not with the whole. */
export function* textsOfState(json: unknown): Generator<string> {
  if (typeof json === 'string') yield* stringsIn(parsed(json) ?? json);
}

/** Without ben10's own names. Decoding has limited the depth. */
function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (!isOwnType(value)) yield value;
  } else if (value instanceof Uint8Array) yield Buffer.from(value).toString('utf8');
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      if (!OWN_FIELDS.has(key) && !Array.isArray(value)) yield key;
      if (!isBlobName(key, one)) yield* stringsIn(one);
    }
  }
}
