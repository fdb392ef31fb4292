import type { BlobReference } from '../events/types.ts';
import { INLINE_BYTES_MAX } from '../journal/append/blobs.ts';
import { BODY_BYTES_MAX } from '../journal/format/format.ts';
import { isSmall, packsInto } from './packed-bytes.ts';
import { type RedactionOptions, redactValue } from './redaction/index.ts';

export type { BlobReference } from '../events/types.ts';

/** Stores bytes beside the journal and returns their name. */
export type PutBlob = (bytes: Buffer) => string;

/** Characters that an event keeps of a text that became a blob. */
export const HEAD_CHARS = 2000;
/** Nesting in an event: the format's limit without the envelope. */
export const DEPTH_MAX = 60;
/** An event's data: leaves room for the envelope. */
export const DATA_BYTES_MAX = BODY_BYTES_MAX - 16 * 1024;
/** Items of one list or object in an event; longer ones become blobs, out of every reader's way. */
export const ITEMS_MAX = 50_000;

/**
 * Makes data from outside fit to be stored: redacts it, mends lone surrogates, bounds nesting, moves large texts
 * and fields to blobs. Nothing is written before it was redacted.
 */
export const preparePayload = <T>(data: T, redaction: RedactionOptions, putBlob: PutBlob): T =>
  fitted(redactValue(data, redaction).value as T, putBlob);

function fitted<T>(data: T, putBlob: PutBlob): T {
  // Nothing in it can be too large.
  if (isSmall(data, INLINE_BYTES_MAX, ITEMS_MAX, DEPTH_MAX)) return data;
  // Without blobs first: it is not known yet which are needed.
  const small = shrink(data, UNPUT, 0);
  if (packsInto(small, DATA_BYTES_MAX, ITEMS_MAX)) return shrink(data, putBlob, 0) as T;
  // Many small values: each large field becomes a blob as a whole, and no text of it by itself.
  const fields = Object.entries(data as object).map(([key, field]) => [
    key,
    packsInto(Reflect.get(small as object, key), INLINE_BYTES_MAX, ITEMS_MAX)
      ? shrink(field, putBlob, 1)
      : asBlob(field, putBlob),
  ]);
  return Object.fromEntries(fields) as T;
}

/** As long as a blob's name. */
const UNPUT: PutBlob = () => '0'.repeat(64);

function shrink(value: unknown, putBlob: PutBlob, depth: number): unknown {
  if (typeof value === 'string') return largeText(value, putBlob);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[nested too deep]';
  return Array.isArray(value)
    ? shrinkList(value, putBlob, depth + 1)
    : shrinkFields(value as Record<string, unknown>, putBlob, depth + 1);
}

/** The same list if nothing in it is too large. */
function shrinkList(list: readonly unknown[], putBlob: PutBlob, depth: number): readonly unknown[] {
  const kept = list.map((item) => shrink(item, putBlob, depth));
  return kept.every((item, index) => Object.is(item, list[index])) ? list : kept;
}

/** The same object if nothing in it is too large: copying one of 400,000 keys takes a second. */
function shrinkFields(
  fields: Record<string, unknown>,
  putBlob: PutBlob,
  depth: number,
): Record<string, unknown> {
  let kept = fields;
  for (const key of Object.keys(fields)) {
    const small = shrink(fields[key], putBlob, depth);
    if (Object.is(small, fields[key])) continue;
    if (kept === fields) kept = { ...fields };
    kept[key] = small;
  }
  return kept;
}

function largeText(text: string, putBlob: PutBlob): string | BlobReference {
  // A character has at most three bytes of UTF-8: short texts need no counting.
  if (text.length * 3 <= INLINE_BYTES_MAX) return text;
  const bytes = Buffer.from(text);
  return bytes.length <= INLINE_BYTES_MAX ? text : reference(bytes, text, putBlob);
}

function asBlob(field: unknown, putBlob: PutBlob): unknown {
  const json = JSON.stringify(field) ?? '';
  return reference(Buffer.from(json), json, putBlob);
}

const reference = (bytes: Buffer, text: string, putBlob: PutBlob): BlobReference => ({
  $blob: putBlob(bytes),
  bytes: bytes.length,
  head: text.slice(0, HEAD_CHARS).toWellFormed(),
});
