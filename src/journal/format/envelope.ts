import type { Hash64 } from '../../platform/xxh64.ts';
import { readMsgpack, readScalars } from './msgpack-read.ts';
import { MsgpackWriter } from './msgpack-write.ts';

/** Every event's body, in this order, as one MessagePack array. `data` is last, so that readers can skip it. */
export interface Envelope {
  /** `family.past-tense` */
  type: string;
  /** Of the type's data; 1 or more. */
  version: number;
  session: string | null;
  /** A sub-agent's id; null for the main thread. */
  agent: string | null;
  client: string | null;
  source: string;
  /** The source's own time, milliseconds since the epoch. */
  at: number | null;
  data: unknown;
}

export const ENVELOPE_FIELDS = 8;

const writer = new MsgpackWriter();

/**
 * Keys named `__proto__` are left out: decoders refuse them.
 * @throws RangeError if `data` is nested deeper than `DEPTH_MAX`, or holds what MessagePack cannot
 */
export const encodeEnvelope = (e: Envelope): Buffer =>
  writer.array([e.type, e.version, e.session, e.agent, e.client, e.source, e.at, e.data]);

/** Low 32 bits of the type name's XXH64, seed 0: lets a scan skip other types. */
export function typeTag(type: string, xxh64: Hash64): number {
  return Number(xxh64(Buffer.from(type), 0n) & 0xffffffffn);
}

/** The envelope without its data, which starts at `dataOffset`. */
export type EnvelopeHead = Omit<Envelope, 'data'> & { dataOffset: number };

const isText = (value: unknown): boolean => typeof value === 'string';

/** Whether the fields before the data have their types. */
export const isHead = (head: Readonly<Record<keyof Omit<Envelope, 'data'>, unknown>>): boolean =>
  [head.type, head.source].every(isText) &&
  [head.session, head.agent, head.client].every((one) => one === null || isText(one)) &&
  typeof head.version === 'number' &&
  (head.at === null || typeof head.at === 'number');

/** @throws RangeError when the bytes are not an envelope */
export function decodeHead(body: Buffer): EnvelopeHead {
  if (body[0] !== (0x90 | ENVELOPE_FIELDS)) throw new RangeError('not an event envelope');
  const { values, end } = readScalars(body, 1, ENVELOPE_FIELDS - 1);
  const [type, version, session, agent, client, source, at] = values;
  const head = { type, version, session, agent, client, source, at, dataOffset: end };
  if (!isHead(head)) throw new RangeError('a field of the envelope has another type');
  return head as EnvelopeHead;
}

/** @throws RangeError when the bytes are not an envelope or break a limit */
export function decodeEnvelope(body: Buffer): Envelope {
  const { dataOffset, ...head } = decodeHead(body);
  return { ...head, data: readMsgpack(body.subarray(dataOffset)) };
}
