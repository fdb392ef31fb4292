import { copyOf } from './bytes.ts';
import { DEPTH_MAX } from './msgpack-read.ts';

/** Below it a text's head has two bytes at most, when it is of ASCII. */
const SHORT_CHARS = 256;

type Forms = readonly [number, number, number];
const ARRAY_FORMS: Forms = [0, 0xdc, 0xdd];
const MAP_FORMS: Forms = [0, 0xde, 0xdf];
const STRING_FORMS: Forms = [0xd9, 0xda, 0xdb];
const BYTES_FORMS: Forms = [0xc4, 0xc5, 0xc6];
const NUMBER_FORMS: Forms = [0xcc, 0xcd, 0xce];

/** The native method behind `write`, which Node's types leave out. */
const { utf8Write } = Buffer.prototype as unknown as {
  utf8Write(this: Uint8Array, text: string, at: number): number;
};

/**
 * MessagePack of what JSON can hold, and of bytes: byte for byte as `@msgpack/msgpack`, with a twentieth of the code to
 * compile.
 */
export class MsgpackWriter {
  /** Grows, and is kept for the next value. */
  #out = Buffer.allocUnsafe(16 * 1024);
  #at = 0;

  /**
   * These values as one array. Undefined fields and keys named `__proto__` are left out.
   * @throws RangeError if a value is nested deeper than `DEPTH_MAX`, or MessagePack cannot hold it
   */
  array(values: readonly unknown[]): Buffer {
    this.#at = 0;
    this.#array(values, -1);
    return copyOf(this.#out.subarray(0, this.#at));
  }

  #value(value: unknown, depth: number): void {
    if (depth > DEPTH_MAX) throw new RangeError(`nested deeper than ${DEPTH_MAX}`);
    if (typeof value === 'string') this.#string(value);
    else if (typeof value === 'number') this.#number(value);
    else if (value === null || value === undefined) this.#byte(0xc0);
    else if (typeof value === 'boolean') this.#byte(value ? 0xc3 : 0xc2);
    else if (Array.isArray(value)) this.#array(value, depth);
    else if (ArrayBuffer.isView(value)) this.#bytes(value);
    else if (typeof value === 'object' && !(value instanceof Date)) this.#map(value, depth);
    else throw new RangeError(`no event can hold ${String(value)}`);
  }

  #array(values: readonly unknown[], depth: number): void {
    this.#head(values.length, 0x90, 16, ARRAY_FORMS);
    for (const value of values) this.#value(value, depth + 1);
  }

  #map(value: object, depth: number): void {
    const fields = value as Record<string, unknown>;
    let keys = Object.keys(fields);
    const isKept = (key: string) => fields[key] !== undefined && key !== '__proto__';
    if (!keys.every(isKept)) keys = keys.filter(isKept);
    this.#head(keys.length, 0x80, 16, MAP_FORMS);
    for (const key of keys) {
      this.#string(key);
      this.#value(fields[key], depth + 1);
    }
  }

  #string(text: string): void {
    if (text.length < SHORT_CHARS) {
      this.#short(text);
      return;
    }
    const bytes = Buffer.byteLength(text);
    this.#head(bytes, 0xa0, 32, STRING_FORMS);
    this.#room(bytes);
    this.#at += utf8Write.call(this.#out, text, this.#at);
  }

  /** Written first, then measured: measuring a short text takes as long as writing it. */
  #short(text: string): void {
    // Room for the head, too: growing later would leave the text behind.
    this.#room(9 + 3 * text.length);
    const guess = text.length < 32 ? 1 : 2;
    const start = this.#at + guess;
    const bytes = utf8Write.call(this.#out, text, start);
    const head = bytes < 32 ? 1 : bytes < 0x100 ? 2 : 3;
    // Not of ASCII alone.
    if (head !== guess) this.#out.copyWithin(this.#at + head, start, start + bytes);
    this.#head(bytes, 0xa0, 32, STRING_FORMS);
    this.#at += bytes;
  }

  #bytes({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
    this.#head(byteLength, 0, 0, BYTES_FORMS);
    this.#room(byteLength);
    this.#out.set(new Uint8Array(buffer, byteOffset, byteLength), this.#at);
    this.#at += byteLength;
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value)) {
      this.#byte(0xcb);
      this.#at = this.#out.writeDoubleBE(value, this.#at);
    } else if (value >= 2 ** 32 || value < -(2 ** 31)) {
      this.#byte(value > 0 ? 0xcf : 0xd3);
      const high = Math.floor(value / 2 ** 32);
      this.#uint(high >>> 0, 4);
      this.#uint(value - high * 2 ** 32, 4);
    } else if (value >= 0) {
      this.#head(value, 0, 0x80, NUMBER_FORMS);
    } else if (value >= -0x20) {
      this.#byte(value & 0xff);
    } else {
      const width = value >= -0x80 ? 1 : value >= -0x8000 ? 2 : 4;
      this.#byte(width === 1 ? 0xd0 : width === 2 ? 0xd1 : 0xd2);
      this.#at = this.#out.writeIntBE(value, this.#at, width);
    }
  }

  /**
   * A count in the fewest bytes: within the kind's byte below `short`, else behind the kind's form of 1, 2 or 4 bytes (0: no
   * such form).
   */
  #head(count: number, kind: number, short: number, forms: Forms) {
    if (count < short) {
      this.#byte(kind + count);
      return;
    }
    const width = count < 0x100 && forms[0] !== 0 ? 1 : count < 0x1_0000 ? 2 : 4;
    this.#byte(forms[width >> 1]!);
    this.#uint(count, width);
  }

  /** Of 4 bytes at most. */
  #uint(value: number, width: number): void {
    for (let shift = 8 * (width - 1); shift >= 0; shift -= 8) this.#byte((value >>> shift) & 0xff);
  }

  #byte(value: number): void {
    this.#room(9);
    this.#out[this.#at] = value;
    this.#at += 1;
  }

  /** What is written next has at most this many bytes. */
  #room(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(needed * 2);
    this.#out.copy(larger, 0, 0, this.#at);
    this.#out = larger;
  }
}
