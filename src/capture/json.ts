import { headOf } from './excerpt.ts';

/** Reading JSON that comes from outside: nothing is taken for granted. */
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A string that is not empty. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Ids and names are a few dozen characters; anything else is cut, so that it can stand in a state as a key. No secret
 * is cut in two, which nothing would find any more.
 */
export const NAME_CHARS_MAX = 200;

/** A name: of a session, an agent, a tool, a call, a record. */
export function name(value: unknown): string | undefined {
  return short(value, NAME_CHARS_MAX);
}

/** What a file system takes at most; a longer path is none. */
const PATH_CHARS_MAX = 4096;

export function path(value: unknown): string | undefined {
  return short(value, PATH_CHARS_MAX);
}

function short(value: unknown, chars: number): string | undefined {
  const said = text(value);
  if (said === undefined) return undefined;
  return said.length <= chars ? said.toWellFormed() : headOf(said, chars, true);
}

export const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.trunc(value) : undefined;

/** An ISO time as milliseconds since the epoch; null when it is none, or before it. */
export function time(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const ms = Date.parse(value);
  return ms >= 0 ? ms : null;
}

/** Leaves out what is undefined, so that absent fields are absent in the journal. */
export function defined<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  const kept: Json = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept as T;
}
