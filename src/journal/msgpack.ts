import { asBuffer } from './bytes.ts';
import { DEPTH_MAX, textAt } from './msgpack-read.ts';

/**
 * The little of MessagePack that is read by hand: scalars, to get at an envelope's head without decoding the rest,
 * and the shape of a value, to refuse a hostile one before anything is built from it.
 */

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
  c.at += sizeOf(c.body, c.at, first)[0];
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

/**
 * Refuses, before anything is built, nesting beyond `depthMax` and containers that announce more values than
 * there are bytes: the decoder makes room for what is announced. One pass, no allocation per value.
 * @throws RangeError
 */
export function assertShape(bytes: Uint8Array, depthMax = DEPTH_MAX): void {
  const b = asBuffer(bytes);
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
    if (children > b.length - at) throw new RangeError('a value runs past the end of the event');
    if (children > 0) {
      open.push(left);
      if (open.length > depthMax) throw new RangeError(`nested deeper than ${depthMax}`);
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
    case 0xc0:
    case 0xc2:
    case 0xc3:
      return sized(1, 0);
    default:
      throw new RangeError(`a value of type 0x${first.toString(16)} in an event`);
  }
}
