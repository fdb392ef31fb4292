import { isAbsolute, relative, resolve } from 'node:path';

export const EXCLUDED_BY_DEFAULT: readonly string[] = ['*.log', 'node_modules/**', '.env*'];

export const GLOBS_MAX = 100;
export const GLOB_CHARS_MAX = 200;
/** Refuses other notations, such as `[a-z]`: taken literally they would exclude nothing. */
const GLOB = /^\/?(?!!)(?:(?!\.{1,2}(?:\/|$))[^/[\]{}\\]+(?:\/(?=.)|$))+$/;

export const areGlobs = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= GLOBS_MAX && value.every(isGlob);

export const isGlob = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= GLOB_CHARS_MAX &&
  GLOB.test(value.replace(/\/$/, ''));

/**
 * The first pattern that matches a file or a folder above it. As in .gitignore without `!`: `*` and `?` match within a name,
 * `**` any number of folders; a pattern without a slash matches names at any depth, one with a slash starts at `dir`.
 * @param dir the project's folder, absolute
 * @param file absolute, or relative to `dir`; outside of `dir` only its name is compared
 */
export function excludedBy(
  patterns: readonly string[],
  dir: string,
  file: string,
): string | undefined {
  // Names alone need no resolving, which costs far more than comparing; thousands are asked at a start.
  const isPlain = !/(?:^|\/)\.{0,2}(?:\/|$)|[\\:]/.test(file);
  const way = isPlain ? file : relative(dir, resolve(dir, file));
  const names = way.split(/[/\\]/);
  const within = names[0] === '..' || isAbsolute(way) ? names.slice(-1) : names;
  return patterns.find((pattern) => covers(pattern, within));
}

function covers(pattern: string, names: readonly string[]): boolean {
  const parts = pattern.replace(/^\/|\/$/g, '').split('/');
  if (parts.length > 1 || pattern[0] === '/') return matches(parts, names, '**', isName, false);
  return names.some((name) => isName(parts[0]!, name));
}

const isName = (part: string, name: string): boolean => matches(part, name, '*', isChar, true);
const isChar = (wanted: string, char: string): boolean => wanted === '?' || wanted === char;

/**
 * Matches a pattern against a text or a list; `any` stands for any number of items. Backtracks only to the last `any`, so the
 * time is at most the product of both lengths.
 * @param isWhole false if items may follow
 */
function matches(
  pattern: ArrayLike<string>,
  items: ArrayLike<string>,
  any: string,
  isSame: (wanted: string, item: string) => boolean,
  isWhole: boolean,
): boolean {
  let at = 0;
  let item = 0;
  let back = 0;
  let from = 0;
  for (;;) {
    const isOver = at === pattern.length;
    if (isOver && (!isWhole || item === items.length)) return true;
    if (!isOver && pattern[at] === any) {
      at += 1;
      back = at;
      from = item;
    } else if (!isOver && item < items.length && isSame(pattern[at]!, items[item]!)) {
      at += 1;
      item += 1;
    } else if (back > 0 && from < items.length) {
      from += 1;
      at = back;
      item = from;
    } else return false;
  }
}
