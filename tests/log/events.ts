import { encodeEvent } from '../../src/events/encode.ts';
import { fact, factId } from '../../src/events/identity.ts';
import type { EventData, EventType } from '../../src/events/types.ts';
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

interface Where {
  session?: string | null;
  at?: number | null;
  id?: Buffer;
}

/** Noon of the day on which the fixtures were recorded, milliseconds since the epoch. */
export const NOON = Date.UTC(2026, 10, 21, 12);

/** An event of the catalogue, ready to be appended. */
export function anEvent<T extends EventType>(
  type: T,
  data: EventData[T],
  where: Where = {},
): NewEvent {
  const { session = 's1', at = NOON, id = Buffer.alloc(16) } = where;
  if (where.id === undefined) systemRandom.fill(id);
  const draft = {
    id,
    type,
    session,
    agent: null,
    client: 'test',
    source: 'hook' as const,
    at,
    data,
  };
  return encodeEvent(draft, xxh64);
}

export const prompt = (text: string, where: Where = {}): NewEvent =>
  anEvent('prompt.submitted', { text }, where);

/** A call of a shell command, with the identity that the client's name gives it. */
export const call = (toolUseId: string, command: string, where: Where = {}): NewEvent =>
  anEvent(
    'tool.called',
    { toolUseId, name: 'Bash', input: { command } },
    {
      id: factId(where.session ?? 's1', fact.toolCall(toolUseId)),
      ...where,
    },
  );
