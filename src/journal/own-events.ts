import { encodeEnvelope, typeTag } from './envelope.ts';
import type { NewEvent } from './inbox.ts';
import type { JournalPorts } from './ports.ts';
import type { Repair } from './recover.ts';

/** The one event that the journal writes about itself. Version 1: the fields of `Repair`. */
export const REPAIRED_TYPE = 'journal.repaired';

export function repairedEvent(ports: JournalPorts, repair: Repair): NewEvent {
  const id = Buffer.alloc(16);
  ports.random.fill(id);
  const payload = encodeEnvelope({
    type: REPAIRED_TYPE,
    version: 1,
    session: null,
    agent: null,
    client: null,
    source: 'journal',
    at: ports.clock.now(),
    data: { ...repair },
  });
  return { id, typeTag: typeTag(REPAIRED_TYPE, ports.xxh64), payload, durability: 'disk' };
}
