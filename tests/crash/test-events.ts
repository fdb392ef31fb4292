import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { encodeEnvelope, typeTag } from '../../src/journal/envelope.ts';
import type { Durability, NewEvent } from '../../src/journal/inbox.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

const TYPE = 'test.happened';

/** The n-th event of a writer, of about so many bytes. */
export function eventOf(name: string, n: number, bytes: number, durability: Durability): NewEvent {
  const payload = encodeEnvelope({
    type: TYPE,
    version: 1,
    session: name,
    agent: null,
    client: 'test',
    source: 'tool',
    at: n,
    data: { name, n, text: 'x'.repeat(bytes) },
  });
  const id = createHash('sha256').update(`${name}:${n}`).digest().subarray(0, 16);
  return { id, typeTag: typeTag(TYPE, xxh64), payload, durability };
}

/**
 * Appends events, telling the parent before it what is going to be appended and after it that it was acknowledged. The
 * parent keeps the account, so it cannot die with the writer.
 * @param first the number of the first of them
 */
export function appendAloud(
  append: (events: readonly NewEvent[]) => void,
  events: readonly NewEvent[],
  first: number,
): void {
  const digests = events.map(({ payload }) => createHash('sha256').update(payload).digest('hex'));
  writeSync(1, digests.map((digest, i) => `intent ${first + i} ${digest}\n`).join(''));
  if (events[0]!.payload.length > 100_000) writeSync(1, 'large\n');
  append(events);
  writeSync(1, events.map((_, i) => `ack ${first + i}\n`).join(''));
}
