import { encodeEnvelope, typeTag } from '../../src/journal/envelope.ts';
import type { Durability, NewEvent } from '../../src/journal/inbox.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { seeded } from './chance.ts';
import { SESSION, TYPE } from './tally.ts';

const TAG = typeTag(TYPE, xxh64);
const AT = 1_795_250_100_000;

let counted = 0;

/** Starts the count of events anew: the same workload then makes the same events. */
export function restartEvents(): void {
  counted = 0;
}

/**
 * An event for simulated journals. Ids differ in few bits: what takes one for another is found out.
 * @param filler so many characters that nothing compresses well
 */
export function newSimEvent(name: string, durability: Durability, filler = 0): NewEvent {
  counted += 1;
  const id = Buffer.alloc(16);
  id.writeUInt32BE(name === 'judge' ? 0xffff_ffff : counted, 4);
  const chance = seeded(counted);
  const text = Array.from({ length: filler }, () => ((chance() * 36) | 0).toString(36)).join('');
  const payload = encodeEnvelope({
    type: TYPE,
    version: 1,
    session: SESSION,
    agent: null,
    client: 'sim',
    source: 'tool',
    at: AT + counted,
    data: { name: `${name}.${counted}`, text },
  });
  return { id, typeTag: TAG, payload, durability };
}
