import { Decoder, Encoder } from '@msgpack/msgpack';
import type { Hash64 } from '../platform/xxh64.ts';

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
/** Nesting of `data`: deeper is refused when encoding and when decoding. */
export const DEPTH_MAX = 64;

const encoder = new Encoder({ maxDepth: DEPTH_MAX + 2, ignoreUndefined: true });
const decoder = new Decoder({
  maxStrLength: 1024 * 1024,
  maxBinLength: 1024 * 1024,
  maxArrayLength: 100_000,
  maxMapLength: 100_000,
  maxExtLength: 0,
});

/** @throws when `data` is nested deeper than `DEPTH_MAX` or holds what MessagePack cannot say */
export function encodeEnvelope(e: Envelope): Buffer {
  const fields = [e.type, e.version, e.session, e.agent, e.client, e.source, e.at, e.data];
  const bytes = encoder.encodeSharedRef(fields);
  return Buffer.from(bytes);
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
  assertDepth(bytes);
  return decoder.decode(bytes);
}

interface Cursor {
  body: Buffer;
  at: number;
}

function readNullable<T>(c: Cursor, read: (c: Cursor) => T): T | null {
  if (c.body[c.at] !== 0xc0) return read(c);
  c.at += 1;
  return null;
}

function readString(c: Cursor): string {
  const first = c.body[c.at] ?? 0;
  let length: number;
  if ((first & 0xe0) === 0xa0) {
    length = first & 0x1f;
    c.at += 1;
  } else if (first === 0xd9) {
    length = c.body.readUInt8(c.at + 1);
    c.at += 2;
  } else if (first === 0xda) {
    length = c.body.readUInt16BE(c.at + 1);
    c.at += 3;
  } else throw new RangeError('not a string where the envelope has one');
  const end = c.at + length;
  if (end > c.body.length) throw new RangeError('a string runs past the end of the event');
  const text = c.body.toString('utf8', c.at, end);
  c.at = end;
  return text;
}

function readNumber(c: Cursor): number {
  const first = c.body[c.at] ?? 0xc1;
  c.at += 1;
  if (first < 0x80) return first;
  const at = c.at;
  if (first === 0xcc) return c.body.readUInt8(skip(c, at, 1));
  if (first === 0xcd) return c.body.readUInt16BE(skip(c, at, 2));
  if (first === 0xce) return c.body.readUInt32BE(skip(c, at, 4));
  if (first === 0xcf) {
    skip(c, at, 8);
    return c.body.readUInt32BE(at) * 0x1_0000_0000 + c.body.readUInt32BE(at + 4);
  }
  throw new RangeError('not a whole number where the envelope has one');
}

function skip(c: Cursor, at: number, bytes: number): number {
  c.at = at + bytes;
  return at;
}

/**
 * Refuses nesting beyond `DEPTH_MAX` before anything is built: the decoder itself does not recurse, but whoever
 * walks its result does. One pass over the structure, no allocation per value.
 */
function assertDepth(bytes: Uint8Array): void {
  const b = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const open: number[] = [];
  let at = 0;
  let left = 1;
  for (;;) {
    while (left === 0) {
      if (open.length === 0) return;
      left = open.pop()!;
    }
    if (at >= b.length) return; // the decoder will say that the bytes end early
    left -= 1;
    const first = b[at]!;
    const [size, children] = sizeOf(b, at, first);
    at += size;
    if (children > 0) {
      open.push(left);
      if (open.length > DEPTH_MAX) throw new RangeError(`nested deeper than ${DEPTH_MAX}`);
      left = children;
    }
  }
}

const pair: [number, number] = [0, 0];
function sized(size: number, children: number): [number, number] {
  pair[0] = size;
  pair[1] = children;
  return pair;
}

/** Bytes of a value's own head and scalars, and how many values it contains. */
function sizeOf(b: Buffer, at: number, first: number): [number, number] {
  if (first < 0x80 || first >= 0xe0) return sized(1, 0);
  if (first < 0x90) return sized(1, (first & 0x0f) * 2);
  if (first < 0xa0) return sized(1, first & 0x0f);
  if (first < 0xc0) return sized(1 + (first & 0x1f), 0);
  switch (first) {
    case 0xc4:
    case 0xd9:
      return sized(2 + (b[at + 1] ?? 0), 0);
    case 0xc5:
    case 0xda:
      return sized(3 + (at + 3 <= b.length ? b.readUInt16BE(at + 1) : 0), 0);
    case 0xc6:
    case 0xdb:
      return sized(5 + (at + 5 <= b.length ? b.readUInt32BE(at + 1) : 0), 0);
    case 0xcc:
    case 0xd0:
      return sized(2, 0);
    case 0xcd:
    case 0xd1:
      return sized(3, 0);
    case 0xca:
    case 0xce:
    case 0xd2:
      return sized(5, 0);
    case 0xcb:
    case 0xcf:
    case 0xd3:
      return sized(9, 0);
    case 0xdc:
      return sized(3, at + 3 <= b.length ? b.readUInt16BE(at + 1) : 0);
    case 0xdd:
      return sized(5, at + 5 <= b.length ? b.readUInt32BE(at + 1) : 0);
    case 0xde:
      return sized(3, at + 3 <= b.length ? b.readUInt16BE(at + 1) * 2 : 0);
    case 0xdf:
      return sized(5, at + 5 <= b.length ? b.readUInt32BE(at + 1) * 2 : 0);
    default:
      return sized(1, 0);
  }
}
