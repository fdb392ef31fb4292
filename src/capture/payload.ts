import { INLINE_BYTES_MAX } from '../journal/blobs.ts';
import { BODY_BYTES_MAX } from '../journal/format.ts';
import { type RedactionOptions, redactValue } from './redaction/index.ts';

/** What stands in an event for a text that was too large for it. */
export interface BlobReference {
  /** The blob's name. */
  $blob: string;
  bytes: number;
  /** How it starts. */
  head: string;
}

/** Keeps bytes beside the journal and returns their name. */
export type PutBlob = (bytes: Buffer) => string;

/** Of a text that went to a blob, what stays in the event, characters. */
const HEAD_CHARS = 2000;
/** Nesting in an event; below the format's own limit by what the envelope adds. */
const DEPTH_MAX = 60;
/** All of an event's data: leaves room for the envelope. */
const DATA_BYTES_MAX = BODY_BYTES_MAX - 16 * 1024;

/**
 * Makes data from outside fit to be kept: secrets out first, then lone surrogates mended, nesting bounded, large
 * texts moved to blobs. Nothing is written, to a blob or anywhere, before it was redacted.
 */
export function preparePayload<T>(data: T, redaction: RedactionOptions, putBlob: PutBlob): T {
  const { value } = redactValue(data, redaction);
  const moved = shrink(value, putBlob, 0);
  if (Buffer.byteLength(JSON.stringify(moved) ?? '') <= DATA_BYTES_MAX) return moved as T;
  // Many texts that are each small enough: every field that is large as a whole goes as a whole.
  const fields = Object.entries(moved as object).map(([key, field]) => [
    key,
    asBlob(field, putBlob),
  ]);
  return Object.fromEntries(fields) as T;
}

function shrink(value: unknown, putBlob: PutBlob, depth: number): unknown {
  if (typeof value === 'string') return largeText(value, putBlob);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[nested too deep]';
  if (Array.isArray(value)) return value.map((item) => shrink(item, putBlob, depth + 1));
  const kept: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) kept[key] = shrink(field, putBlob, depth + 1);
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
  const bytes = Buffer.from(json);
  return bytes.length <= INLINE_BYTES_MAX ? field : reference(bytes, json, putBlob);
}

const reference = (bytes: Buffer, text: string, putBlob: PutBlob): BlobReference => ({
  $blob: putBlob(bytes),
  bytes: bytes.length,
  head: text.slice(0, HEAD_CHARS).toWellFormed(),
});
