import { isAbsolute, relative, resolve } from 'node:path';

/** What `context.excludePatterns` is when nobody says anything. */
export const EXCLUDED_BY_DEFAULT: readonly string[] = ['*.log', 'node_modules/**', '.env*'];

/** Each is compared with every file that a tool touches. */
export const GLOBS_MAX = 100;
export const GLOB_CHARS_MAX = 200;
/** Signs of other notations are refused: taken literally they would quietly exclude nothing. */
const GLOB = /^\/?(?!!)(?:(?!\.{1,2}(?:\/|$))[^/[\]{}\\]+(?:\/(?=.)|$))+$/;

export const areGlobs = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= GLOBS_MAX && value.every(isGlob);

export const isGlob = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= GLOB_CHARS_MAX &&
  GLOB.test(value.replace(/\/$/, ''));

/**
 * The first of the patterns that a file falls under. As in a .gitignore: `*` and `?` stay within a name, `**` is any
 * number of folders, a pattern without a slash is about names at any depth, one with a slash starts at the project's
 * folder, and what a folder's pattern matches counts for all that is in it. No pattern takes back what another one says.
 * @param dir the project's folder, absolute
 * @param file absolute, or relative to `dir`; of one outside of `dir` only the name is looked at
 */
export function excludedBy(
  patterns: readonly string[],
  dir: string,
  file: string,
): string | undefined {
  const way = relative(dir, resolve(dir, file));
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
 * A pattern against a text or a list, where `any` stands for any number of items. Only the last `any` is ever gone back
 * to, so it takes no longer than both lengths multiplied, whoever wrote the pattern.
 * @param isWhole false when what goes on behind the pattern is matched, too
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
