import { Ben10Error } from '../platform/errors.ts';
import { oneLine } from '../projections/safe-text.ts';
import { fitted, jsonBytes } from './shorten.ts';

export interface View {
  value: unknown;
  shortened: boolean;
  /** The start of the next page, if there is one. */
  next?: number;
}

const NAMES_SHOWN = 30;

/** The part at `path`, from `start` on; without a path a shortened overview. */
export const view = (
  value: unknown,
  path: string | undefined,
  start: number,
  bytes: number,
): View => (path === undefined ? viewWhole(value, bytes) : viewPart(value, path, start, bytes));

export const viewWhole = (value: unknown, bytes: number): View => fitted(value, bytes);

/**
 * The part at `path`, or the items from `start` on that fit into one page.
 * @param path names and indexes with dots between: `conversation.messages`; a name may contain dots, too
 * @throws Ben10Error USAGE if there is nothing at the path
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
    // An item larger than a page is shortened.
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

const isEntry = (value: object, name: string): boolean =>
  Object.hasOwn(value, name) && !(Array.isArray(value) && name === 'length');

const quoted = (name: string): string => `"${oneLine(name)}"`;

function nothingAt(value: unknown, path: string, whole: string): Ben10Error {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const shown = Array.isArray(value)
    ? `indexes 0 to ${names.length - 1}`
    : names.slice(0, NAMES_SHOWN).map(quoted).join(', ');
  const here = whole === path ? 'at the top' : `before "${path}"`;
  const there = names.length === 0 ? 'nothing' : shown;
  const what = `there is nothing at path "${whole}"; ${here} there is: ${there}`;
  return new Ben10Error('USAGE', what, { next: 'Call again without path for an overview.' });
}
