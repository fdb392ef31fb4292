import type { BlobReference } from '../events/types.ts';
import { INLINE_BYTES_MAX } from '../journal/append/blobs.ts';
import { BODY_BYTES_MAX } from '../journal/format/format.ts';
import { isSmall, packsInto } from './packed-bytes.ts';
import { type RedactionOptions, redactValue } from './redaction/index.ts';

export type { BlobReference } from '../events/types.ts';

/** Keeps bytes beside the journal and returns their name. */
export type PutBlob = (bytes: Buffer) => string;

/** Of a text that went to a blob, what stays in the event, characters. */
export const HEAD_CHARS = 2000;
/** Nesting in an event; below the format's own limit by what the envelope adds. */
export const DEPTH_MAX = 60;
/** All of an event's data: leaves room for the envelope. */
export const DATA_BYTES_MAX = BODY_BYTES_MAX - 16 * 1024;
/** Items of one list or object in an event; what has more is kept beside the journal, out of every reader's way. */
export const ITEMS_MAX = 50_000;

/**
 * Makes data from outside fit to be kept: secrets out first, then lone surrogates mended, nesting bounded, large
 * texts and large fields moved to blobs. Nothing is written, to a blob or anywhere, before it was redacted.
 */
export const preparePayload = <T>(data: T, redaction: RedactionOptions, putBlob: PutBlob): T =>
  fitted(redactValue(data, redaction).value as T, putBlob);

/** The same of the data of several events. */
export const preparePayloads = <T>(
  data: readonly T[],
  redaction: RedactionOptions,
  putBlob: PutBlob,
): T[] => data.map((one) => preparePayload(one, redaction, putBlob));

function fitted<T>(data: T, putBlob: PutBlob): T {
  // Nothing in it can be too large, then.
  if (isSmall(data, INLINE_BYTES_MAX, ITEMS_MAX, DEPTH_MAX)) return data;
  // What would go beside the journal is not put there before it is known which.
  const small = shrink(data, UNPUT, 0);
  if (packsInto(small, DATA_BYTES_MAX, ITEMS_MAX)) return shrink(data, putBlob, 0) as T;
  // Many values that are each small enough: every field that is large as a whole goes as a whole, and no text of it by itself.
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

/** The very same list when nothing in it is too large. */
function shrinkList(list: readonly unknown[], putBlob: PutBlob, depth: number): readonly unknown[] {
  const kept = list.map((item) => shrink(item, putBlob, depth));
  return kept.every((item, index) => Object.is(item, list[index])) ? list : kept;
}

/** The very same object when nothing in it is too large: to copy one of 400,000 keys takes a second. */
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
  // A character is at most three bytes of UTF-8, so short texts need no counting.
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
