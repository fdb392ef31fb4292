import { headOf } from './excerpt.ts';

/** JSON from outside: nothing is taken for granted. */
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A string that is not empty. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Names have a few dozen characters; longer ones are cut, so that they can be keys of a state. Never inside of a
 * secret, which nothing would find any more.
 */
export const NAME_CHARS_MAX = 200;

/** The name of a session, agent, tool, call or record. */
export function name(value: unknown): string | undefined {
  return short(value, NAME_CHARS_MAX);
}

/** The limit of file systems. */
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

/** An ISO time in milliseconds since the epoch; null if it is none, or earlier. */
export function time(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const ms = Date.parse(value);
  return ms >= 0 ? ms : null;
}

/** Drops undefined fields, so that they are absent in the journal. */
export function defined<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  const kept: Json = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept as T;
}

/** Only longer JSON is examined before it is parsed. */
export const UNSEEN_CHARS = 256 * 1024;
/** Nesting that is parsed; what reads the values goes less deep. */
export const LEVELS_MAX = 200;
/** Lists and objects of one text that are parsed. Redaction searches four times as many values. */
export const CONTAINERS_MAX = 250_000;
const LEFT_OUT = '"…"';

/**
 * Parses JSON. A list or object ends where something is nested too deep, or where too many have begun: millions of
 * them keep the parser and the garbage collector busy for many seconds.
 * @throws SyntaxError
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
  // A part without an end leaves invalid JSON, as it is.
  return leaving > 0 ? kept : kept + json.slice(from);
}

/** Where a string ends. */
function stringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json.charCodeAt(before - 1) === 0x5c) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}
