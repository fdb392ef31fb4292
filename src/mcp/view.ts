import { Ben10Error } from '../platform/errors.ts';
import { oneLine } from '../projections/safe-text.ts';
import { fitted, jsonBytes } from './shorten.ts';

/** A part of a large value, small enough for one answer. */
export interface View {
  value: unknown;
  /** True when texts or items of it were left out. */
  shortened: boolean;
  /** Where the next page starts, when there is one. */
  next?: number;
}

/** Names in an error message. */
const NAMES_SHOWN = 30;

/** The part at `path`, from `start` on; without a path an overview of the whole. */
export const view = (
  value: unknown,
  path: string | undefined,
  start: number,
  bytes: number,
): View => (path === undefined ? viewWhole(value, bytes) : viewPart(value, path, start, bytes));

/** The whole value, shortened until it fits: what is where, to be looked into with `viewPart`. */
export const viewWhole = (value: unknown, bytes: number): View => fitted(value, bytes);

/**
 * The part at `path`, whole as long as one page holds it, otherwise the items or fields from `start` on that do.
 * @param path names and indexes joined by dots: `conversation.messages`; a name may itself contain dots (a file's)
 * @throws Ben10Error USAGE when there is nothing at the path
 */
export function viewPart(value: unknown, path: string, start: number, bytes: number): View {
  const part = partAt(value, path, path);
  if (start === 0 && jsonBytes(part) <= bytes) return { value: part, shortened: false };
  if (typeof part !== 'object' || part === null) return fitted(part, bytes);
  const isList = Array.isArray(part);
  const entries: [string, unknown][] = Object.entries(part);
  const taken: [string, unknown][] = [];
  let shortened = false;
  let left = bytes;
  for (const [key, item] of entries.slice(start)) {
    // One that is larger than a page by itself must not stop the paging.
    const one = fitted(item, taken.length === 0 ? bytes / 2 : bytes);
    const size = jsonBytes(one.value) + (isList ? 1 : jsonBytes(key) + 2);
    if (taken.length > 0 && size > left) break;
    left -= size;
    shortened ||= one.shortened;
    taken.push([key, one.value]);
  }
  const next = start + taken.length;
  const view = { value: isList ? taken.map(([, item]) => item) : Object.fromEntries(taken) };
  return { ...view, shortened, ...(next < entries.length ? { next } : {}) };
}

function partAt(value: unknown, path: string, whole: string): unknown {
  if (path === '') return value;
  if (typeof value === 'object' && value !== null) {
    if (isEntry(value, path)) return value[path as keyof typeof value];
    // The longest name first: `files.src/a.ts` has a dot of its own.
    for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      const name = path.slice(0, dot);
      if (isEntry(value, name)) {
        return partAt(value[name as keyof typeof value], path.slice(dot + 1), whole);
      }
    }
  }
  throw nothingAt(value, path, whole);
}

/** Not what every list or object has. */
const isEntry = (value: object, name: string): boolean =>
  Object.hasOwn(value, name) && !(Array.isArray(value) && name === 'length');

/** A file's path is a name, too. */
const quoted = (name: string): string => `"${oneLine(name)}"`;

function nothingAt(value: unknown, path: string, whole: string): Ben10Error {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const shown = Array.isArray(value)
    ? `indexes 0 to ${names.length - 1}`
    : names.slice(0, NAMES_SHOWN).map(quoted).join(', ');
  const here = whole === path ? 'at the top' : `before "${path}"`;
  const there = names.length === 0 ? 'nothing' : shown;
  return new Ben10Error(
    'USAGE',
    `there is nothing at path "${whole}"; ${here} there is: ${there}`,
    {
      next: 'Call again without path for an overview.',
    },
  );
}
