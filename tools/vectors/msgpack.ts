import { type Envelope, encodeEnvelope } from '../../src/journal/format/envelope.ts';
import { type Draft, draftOf, envelopeOf } from './compose.ts';

/**
 * An event whose `data` is given as MessagePack bytes: forms that our own encoder would never choose.
 * @param expect `refused` where no reader may decode it
 */
export function rawDraft(
  label: string,
  data: Buffer,
  expect: Draft['expect'],
  fields: Partial<Envelope> = {},
): Draft {
  const envelope = envelopeOf(label, { ...fields, data: null });
  const head = encodeEnvelope(envelope);
  // The last byte is the nil that stands for `data`.
  const payload = Buffer.concat([head.subarray(0, head.length - 1), data]);
  return { ...draftOf(label, envelope.type, payload), expect };
}

const wide = (first: number, bytes: number, value: number | bigint): Buffer => {
  const out = Buffer.alloc(1 + bytes);
  out.writeUInt8(first, 0);
  const unsigned = BigInt.asUintN(bytes * 8, BigInt(value));
  for (let index = 0; index < bytes; index += 1) {
    out.writeUInt8(Number((unsigned >> BigInt(8 * (bytes - 1 - index))) & 0xffn), 1 + index);
  }
  return out;
};

export const u8 = (value: number): Buffer => wide(0xcc, 1, value);
export const u16 = (value: number): Buffer => wide(0xcd, 2, value);
export const u32 = (value: number): Buffer => wide(0xce, 4, value);
export const u64 = (value: number): Buffer => wide(0xcf, 8, value);
export const i8 = (value: number): Buffer => wide(0xd0, 1, value);
export const i16 = (value: number): Buffer => wide(0xd1, 2, value);
export const i32 = (value: number): Buffer => wide(0xd2, 4, value);
export const i64 = (value: number): Buffer => wide(0xd3, 8, value);

export function f32(value: number): Buffer {
  const out = Buffer.from([0xca, 0, 0, 0, 0]);
  out.writeFloatBE(value, 1);
  return out;
}

export function f64(value: number): Buffer {
  const out = Buffer.from([0xcb, 0, 0, 0, 0, 0, 0, 0, 0]);
  out.writeDoubleBE(value, 1);
  return out;
}

export const fix = (value: number): Buffer => Buffer.from([value & 0xff]);

/** A head byte with a length of the given width, then the content. */
const sized = (first: number, width: number, count: number, content: Buffer): Buffer =>
  Buffer.concat([wide(first, width, count), content]);

export const str8 = (text: string): Buffer =>
  sized(0xd9, 1, Buffer.byteLength(text), Buffer.from(text));
export const str16 = (text: string): Buffer =>
  sized(0xda, 2, Buffer.byteLength(text), Buffer.from(text));
export const str32 = (text: string): Buffer =>
  sized(0xdb, 4, Buffer.byteLength(text), Buffer.from(text));
export const array16 = (items: Buffer[]): Buffer =>
  sized(0xdc, 2, items.length, Buffer.concat(items));
export const array32 = (items: Buffer[]): Buffer =>
  sized(0xdd, 4, items.length, Buffer.concat(items));
/** @param pairs keys and values in turn */
export const map16 = (pairs: Buffer[]): Buffer =>
  sized(0xde, 2, pairs.length / 2, Buffer.concat(pairs));
export const map32 = (pairs: Buffer[]): Buffer =>
  sized(0xdf, 4, pairs.length / 2, Buffer.concat(pairs));
