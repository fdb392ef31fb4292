import { writeSync } from 'node:fs';
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import type { Durability } from '../../src/journal/format/durability.ts';
import { encodeEnvelope, typeTag } from '../../src/journal/format/envelope.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

const TYPE = 'test.happened';
const TYPE_TAG = typeTag(TYPE, xxh64);
const ID_BYTES = 16;
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
  return { id: idOf(`${name}:${n}`), typeTag: TYPE_TAG, payload, durability };
}

/**
 * An event's id is its key itself: who reads it need not unpack megabytes to know whose it is.
 * @param key `writer:number`, at most 16 bytes
 */
export function idOf(key: string): Buffer {
  const id = Buffer.alloc(ID_BYTES);
  if (Buffer.byteLength(key) > ID_BYTES) throw new Error(`${key} is too long for an id`);
  id.write(key);
  return id;
}

/** `writer:number` of a test event, also when it is a tombstone; undefined of an event that no test sent. */
export const keyOf = ({
  id,
  typeTag: tag,
}: Pick<NewEvent, 'id' | 'typeTag'>): string | undefined =>
  tag === TYPE_TAG ? id.toString('latin1').replace(/\0+$/, '') : undefined;

export const digestOf = (payload: Uint8Array): string => sha256(payload).toString('hex');

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
  const digests = events.map(({ payload }) => digestOf(payload));
  const isLarge = events.some(({ payload }) => payload.length > 100_000);
  const intents = digests.map((digest, i) => `intent ${first + i} ${digest}\n`);
  writeSync(1, `${intents.join('')}${isLarge ? 'large\n' : ''}`);
  append(events);
  writeSync(1, events.map((_, i) => `ack ${first + i}\n`).join(''));
}
