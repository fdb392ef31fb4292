import { textAt } from './msgpack-read.ts';

/**
 * The little of MessagePack that an envelope's head is made of, read by hand to get at it without decoding the rest.
 */
const NUMBER_BYTES: Readonly<Record<number, number>> = {
  202: 4,
  203: 8,
  204: 1,
  205: 2,
  206: 4,
  207: 8,
  208: 1,
  209: 2,
  210: 4,
  211: 8,
};

/** Where a value is read from; moves on as it is read. */
export interface Cursor {
  body: Buffer;
  at: number;
}

export function readNullable<T>(c: Cursor, read: (c: Cursor) => T): T | null {
  if (c.body[c.at] !== 0xc0) return read(c);
  c.at += 1;
  return null;
}

export function readString(c: Cursor): string {
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
  } else if (first === 0xdb) {
    length = c.body.readUInt32BE(c.at + 1);
    c.at += 5;
  } else throw new RangeError('not a string where the envelope has one');
  const end = c.at + length;
  if (end > c.body.length) throw new RangeError('a string runs past the end of the event');
  const text = textAt(c.body, c.at, length);
  c.at = end;
  return text;
}

export function readNumber(c: Cursor): number {
  const first = c.body[c.at] ?? 0xc1;
  const at = c.at + 1;
  c.at += 1 + (NUMBER_BYTES[first] ?? 0);
  if (first < 0x80) return first;
  if (first >= 0xe0) return first - 0x100;
  switch (first) {
    case 0xca:
      return c.body.readFloatBE(at);
    case 0xcb:
      return c.body.readDoubleBE(at);
    case 0xcc:
      return c.body.readUInt8(at);
    case 0xcd:
      return c.body.readUInt16BE(at);
    case 0xce:
      return c.body.readUInt32BE(at);
    case 0xcf:
      return c.body.readUInt32BE(at) * 0x1_0000_0000 + c.body.readUInt32BE(at + 4);
    case 0xd0:
      return c.body.readInt8(at);
    case 0xd1:
      return c.body.readInt16BE(at);
    case 0xd2:
      return c.body.readInt32BE(at);
    case 0xd3:
      return c.body.readInt32BE(at) * 0x1_0000_0000 + c.body.readUInt32BE(at + 4);
    default:
      throw new RangeError('not a number where the envelope has one');
  }
}
