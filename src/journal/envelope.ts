import { Decoder, Encoder, EXT_TIMESTAMP, ExtensionCodec } from '@msgpack/msgpack';
import type { Hash64 } from '../platform/xxh64.ts';
import { assertShape, DEPTH_MAX, readNullable, readNumber, readString } from './msgpack.ts';

/** What every event's body says, in this order, as one MessagePack array. `data` is last: it can be left alone. */
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
export { DEPTH_MAX } from './msgpack.ts';

/** No extension types: what other languages cannot read without being told, and what would not decode here. */
const extensionCodec = new ExtensionCodec();
extensionCodec.register({
  type: EXT_TIMESTAMP,
  encode: (value) => {
    if (value instanceof Date) throw new RangeError('a Date in an event: say it as milliseconds');
    return null;
  },
  decode: () => null,
});
const encoder = new Encoder({ maxDepth: DEPTH_MAX + 2, ignoreUndefined: true, extensionCodec });
// A body is at most a mebibyte, and `assertShape` lets no length pass that the bytes cannot hold.
const decoder = new Decoder({ maxExtLength: 0 });

/** A key that no decoder may set. MessagePack: a string of 9 bytes. */
const PROTO_KEY = Buffer.from('\xa9__proto__', 'latin1');

/**
 * Keys named `__proto__` are left out: decoders refuse them.
 * @throws RangeError or Error when `data` is nested deeper than `DEPTH_MAX` or holds what MessagePack cannot say
 */
export function encodeEnvelope(e: Envelope): Buffer {
  const fields = [e.type, e.version, e.session, e.agent, e.client, e.source, e.at, e.data];
  const bytes = Buffer.from(encoder.encodeSharedRef(fields));
  if (!bytes.includes(PROTO_KEY)) return bytes;
  fields[ENVELOPE_FIELDS - 1] = withoutProto(e.data);
  return Buffer.from(encoder.encodeSharedRef(fields));
}

/** Encoding went well before this is called, so the nesting is bounded. */
function withoutProto(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProto);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutProto(inner)]));
}

/** Low 32 bits of the type name's XXH64, seed 0: lets a scan skip what it does not want. */
export function typeTag(type: string, xxh64: Hash64): number {
  return Number(xxh64(Buffer.from(type), 0n) & 0xffffffffn);
}

/** The envelope without its data, read without decoding that. `dataOffset` is where `data` starts. */
export type EnvelopeHead = Omit<Envelope, 'data'> & { dataOffset: number };

/** @throws RangeError when the bytes are not an envelope */
export function decodeHead(body: Buffer): EnvelopeHead {
  const cursor = { body, at: 1 };
  if (body[0] !== (0x90 | ENVELOPE_FIELDS)) throw new RangeError('not an event envelope');
  const type = readString(cursor);
  const version = readNumber(cursor);
  const session = readNullable(cursor, readString);
  const agent = readNullable(cursor, readString);
  const client = readNullable(cursor, readString);
  const source = readString(cursor);
  const at = readNullable(cursor, readNumber);
  return { type, version, session, agent, client, source, at, dataOffset: cursor.at };
}

/** @throws RangeError or DecodeError when the bytes are not an envelope or break a limit */
export function decodeEnvelope(body: Buffer): Envelope {
  const { dataOffset, ...head } = decodeHead(body);
  return { ...head, data: decodeData(body.subarray(dataOffset)) };
}

export function decodeData(bytes: Uint8Array): unknown {
  assertShape(bytes);
  return decoder.decode(bytes);
}
