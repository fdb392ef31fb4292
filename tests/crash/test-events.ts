import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { encodeEnvelope, typeTag } from '../../src/journal/envelope.ts';
import type { Durability, NewEvent } from '../../src/journal/inbox.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

const TYPE = 'test.happened';
/** Text of the event that the doomed process erases again. */
export const SECRET = 'the-canary-that-nobody-may-find';

/**
 * The n-th event of a writer.
 * @param text of about so many bytes, or this one
 * @param blob name of the blob that it refers to
 */
export function eventOf(
  name: string,
  n: number,
  text: number | string,
  durability: Durability,
  blob?: string,
): NewEvent {
  const body = typeof text === 'string' ? text : 'x'.repeat(text);
  const payload = encodeEnvelope({
    type: TYPE,
    version: 1,
    session: name,
    agent: null,
    client: 'test',
    source: 'tool',
    at: n,
    data: { name, n, text: blob === undefined ? body : { $blob: blob, bytes: 0, head: body } },
  });
  return { id: idOf(`${name}:${n}`), typeTag: typeTag(TYPE, xxh64), payload, durability };
}

/** @param key `writer:number` */
export const idOf = (key: string): Buffer =>
  createHash('sha256').update(key).digest().subarray(0, 16);

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
  const isLarge = events.some(({ payload }) => payload.length > 100_000);
  const intents = digests.map((digest, i) => `intent ${first + i} ${digest}\n`);
  writeSync(1, `${intents.join('')}${isLarge ? 'large\n' : ''}`);
  append(events);
  writeSync(1, events.map((_, i) => `ack ${first + i}\n`).join(''));
}
