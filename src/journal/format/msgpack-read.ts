import { readU8, readU16BE, readU32BE } from './bytes.ts';
import type { Pieces } from './container-pieces.ts';

/** Copies, which a Buffer's own does not. */
const { slice } = Uint8Array.prototype;
/** The native method behind `toString`, which Node's types leave out. */
const { utf8Slice } = Buffer.prototype as unknown as {
  utf8Slice(this: Uint8Array, from: number, to: number): string;
};

/** Nesting of an event's `data`: deeper is refused when encoding and when decoding. */
export const DEPTH_MAX = 64;
/** Shorter texts are mostly names that come again: keys, tools, kinds, sessions, calls. */
const NAME_BYTES_MAX = 40;
const NAMES = 1024;
const EMPTY = new Uint8Array(0);

let bytes: Uint8Array = EMPTY;
let at = 0;
/** When reading in pieces: their source, and how many bytes are still to come. */
let pieces: Pieces | undefined;
let coming = 0;
let depthMax = DEPTH_MAX;
/** How many values may still come. */
let room = Number.POSITIVE_INFINITY;
const names: (string | undefined)[] = new Array(NAMES);
/** The bytes of each name, from `NAME_BYTES_MAX` times its place. */
const nameBytes = new Uint8Array(NAMES * NAME_BYTES_MAX);
const nameLengths = new Uint8Array(NAMES);

/**
 * The value in MessagePack bytes, in one pass: what JSON can hold, and bytes, all copied.
 * @param most nesting @param valuesMax values in all containers
 * @throws RangeError if a limit is passed, a container announces more than there is, a key is no string or `__proto__`, or
 * the bytes are not exactly one value
 */
export function readMsgpack(from: Uint8Array, most = DEPTH_MAX, valuesMax?: number): unknown {
  bytes = from;
  return readWhole(most, valuesMax);
}

/** The same from pieces, one held at a time. @throws what a piece throws */
export function readMsgpackPieces(from: Pieces, most = DEPTH_MAX, valuesMax?: number): unknown {
  pieces = from;
  coming = from.bytes;
  return readWhole(most, valuesMax);
}

function readWhole(most: number, valuesMax = Number.POSITIVE_INFINITY): unknown {
  at = 0;
  room = valuesMax;
  depthMax = most;
  try {
    const value = readValue(0);
    if (at !== bytes.length || coming > 0)
      throw new RangeError('bytes are left over behind a value');
    return value;
  } finally {
    bytes = EMPTY;
    pieces = undefined;
    coming = 0;
  }
}

/** Texts, numbers and nulls, one behind the other. @returns them, and where they end @throws RangeError as `readMsgpack` */
export function readScalars(
  from: Uint8Array,
  start: number,
  count: number,
): { values: unknown[]; end: number } {
  bytes = from;
  at = start;
  depthMax = 0;
  room = Number.POSITIVE_INFINITY;
  try {
    const values: unknown[] = [];
    while (values.length < count) values.push(readValue(0));
    return { values, end: at };
  } finally {
    bytes = EMPTY;
  }
}

/** Fetches pieces until there are so many bytes, in place of what was read. */
function need(count: number): void {
  while (pieces !== undefined && bytes.length - at < count && count <= bytes.length - at + coming) {
    const held = bytes.length - at;
    bytes = pieces.next(bytes.subarray(at));
    at = 0;
    coming -= bytes.length - held;
  }
}

function readValue(depth: number): unknown {
  const first = take(1);
  if (first < 0x80) return first;
  if (first >= 0xe0) return first - 0x100;
  if (first >= 0xa0 && first < 0xc0) return readText(first & 0x1f);
  if (first < 0x90) return readMap(first & 0x0f, depth);
  if (first < 0xa0) return readArray(first & 0x0f, depth);
  switch (first) {
    case 0xc0:
      return null;
    case 0xc2:
      return false;
    case 0xc3:
      return true;
    case 0xc4:
      return readBytes(take(1));
    case 0xc5:
      return readBytes(take(2));
    case 0xc6:
      return readBytes(take(4));
    case 0xca:
      return view(4).getFloat32(0);
    case 0xcb:
      return view(8).getFloat64(0);
    case 0xcc:
      return take(1);
    case 0xcd:
      return take(2);
    case 0xce:
      return take(4);
    case 0xcf:
      return take(4) * 0x1_0000_0000 + take(4);
    case 0xd0:
      return (take(1) << 24) >> 24;
    case 0xd1:
      return (take(2) << 16) >> 16;
    case 0xd2:
      return take(4) | 0;
    case 0xd3:
      return (take(4) | 0) * 0x1_0000_0000 + take(4);
    case 0xd9:
      return readText(take(1));
    case 0xda:
      return readText(take(2));
    case 0xdb:
      return readText(take(4));
    case 0xdc:
      return readArray(take(2), depth);
    case 0xdd:
      return readArray(take(4), depth);
    case 0xde:
      return readMap(take(2), depth);
    case 0xdf:
      return readMap(take(4), depth);
    default:
      throw new RangeError(`a value of type 0x${first.toString(16)} in an event`);
  }
}

function readArray(count: number, depth: number): unknown[] {
  enter(count, count, depth);
  const list: unknown[] = [];
  for (let n = 0; n < count; n += 1) list.push(readValue(depth + 1));
  return list;
}

function readMap(count: number, depth: number): Record<string, unknown> {
  enter(count, 2 * count, depth);
  const map: Record<string, unknown> = {};
  for (let n = 0; n < count; n += 1) {
    const key = readKey();
    map[key] = readValue(depth + 1);
  }
  return map;
}

/** Checked before anything is allocated: a container must not announce more than can be there. */
function enter(count: number, values: number, depth: number): void {
  if (values > bytes.length - at + coming)
    throw new RangeError('a value runs past the end of the event');
  room -= count;
  if (room < 0) throw new RangeError('more values than there may be');
  if (count > 0 && depth >= depthMax) throw new RangeError(`nested deeper than ${depthMax}`);
}

function readKey(): string {
  const first = take(1);
  let length: number;
  if (first >= 0xa0 && first < 0xc0) length = first & 0x1f;
  else if (first === 0xd9) length = take(1);
  else if (first === 0xda) length = take(2);
  else if (first === 0xdb) length = take(4);
  else throw new RangeError('a key that is not a string');
  const key = readText(length);
  if (key === '__proto__') throw new RangeError('a key named __proto__');
  return key;
}

function readText(length: number): string {
  need(length);
  const start = at;
  const end = start + length;
  if (end > bytes.length) throw new RangeError('a text runs past the end of the event');
  at = end;
  return textAt(bytes, start, length);
}

/** The UTF-8 text in these bytes; recent short ones are reused. */
function textAt(from: Uint8Array, start: number, length: number): string {
  if (length === 0) return '';
  if (length > NAME_BYTES_MAX) return utf8Slice.call(from, start, start + length);
  const last = start + length - 1;
  const mixed = 31 * from[start]! + 131 * from[last]! + 7 * from[Math.max(start, last - 1)]!;
  const place = (mixed + length + from[start + (length >> 1)]!) & (NAMES - 1);
  const known = place * NAME_BYTES_MAX;
  if (nameLengths[place] === length) {
    let same = 0;
    while (same < length && nameBytes[known + same] === from[start + same]) same += 1;
    if (same === length) return names[place]!;
  }
  const name = utf8Slice.call(from, start, start + length);
  for (let n = 0; n < length; n += 1) nameBytes[known + n] = from[start + n]!;
  nameLengths[place] = length;
  names[place] = name;
  return name;
}

function readBytes(length: number): Uint8Array {
  need(length);
  const end = at + length;
  if (end > bytes.length) throw new RangeError('bytes run past the end of the event');
  const part = slice.call(bytes, at, end);
  at = end;
  return part;
}

/** An unsigned number of so many bytes. */
function take(width: 1 | 2 | 4): number {
  if (width > bytes.length - at) need(width);
  const start = at;
  at += width;
  if (width === 1) return readU8(bytes, start);
  return width === 2 ? readU16BE(bytes, start) : readU32BE(bytes, start);
}

function view(width: number): DataView {
  need(width);
  const start = at;
  at += width;
  if (at > bytes.length) throw new RangeError('a number runs past the end of the event');
  return new DataView(bytes.buffer, bytes.byteOffset + start, width);
}
