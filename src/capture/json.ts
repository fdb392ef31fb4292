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
export const PATH_CHARS_MAX = 4096;

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

/** Longer JSON is looked at before it is parsed; what shorter one may hold costs nothing to speak of. */
export const UNSEEN_CHARS = 256 * 1024;
/** Lists and objects inside each other that are parsed: more than anything walks, which leaves out what is deeper. */
export const LEVELS_MAX = 200;
/** Lists and objects of one text that are parsed. Redaction searches four times as many values, and leaves out the rest. */
export const CONTAINERS_MAX = 250_000;
const LEFT_OUT = '"…"';

/**
 * The value of a JSON text. A list or object in which something is nested too deep, or begins when there were too many before
 * it, ends there: millions of them take the parser, and the engine's memory behind it, many seconds.
 * @throws SyntaxError when it is none
 */
export const parseJson = (json: string): unknown =>
  JSON.parse(json.length > UNSEEN_CHARS ? pruned(json) : json);

function pruned(json: string): string {
  let kept = '';
  let from = 0;
  let level = 0;
  let opened = 0;
  /** The level whose rest is being left out; 0 for none. */
  let leaving = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === 0x22) at = stringEnd(json, at);
    // `[` and `{`, then `]` and `}`.
    else if (char === 0x5b || char === 0x7b) {
      level += 1;
      opened += 1;
      if (leaving > 0 || level === 1 || (level <= LEVELS_MAX && opened <= CONTAINERS_MAX)) continue;
      leaving = level - 1;
      kept += json.slice(from, at) + LEFT_OUT;
    } else if (char === 0x5d || char === 0x7d) {
      if (level === leaving) {
        leaving = 0;
        from = at;
      }
      level -= 1;
    }
  }
  // What is left out and has no end makes it no JSON, as it is.
  return leaving > 0 ? kept : kept + json.slice(from);
}

/** Where the string ends that begins there. */
function stringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json.charCodeAt(before - 1) === 0x5c) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}
