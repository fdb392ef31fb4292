import { Ben10Error } from '../../platform/errors.ts';
import { headOf } from '../../projections/bounds.ts';
import { oneLine } from '../../projections/safe-text.ts';

const GLOB_CHARS_MAX = 200;
/** Both multiply the time of matching. */
const STARS_MAX = 3;
const EXPANSIONS_MAX = 64;

/** Tells whether a name, from the project's folder on, is one of a pattern's. */
export type Match = (name: string) => boolean;

/** @throws Ben10Error USAGE */
export async function matcherOf(patterns: readonly string[]): Promise<Match> {
  if (patterns.length === 0) return () => false;
  for (const pattern of patterns) checkedGlob(pattern);
  const { default: picomatch } = await import('picomatch');
  const options = { dot: true, nonegate: true, noextglob: true, posix: true, windows: false };
  return picomatch(patterns.map(literalParens), options);
}

/** `app/(auth)/page.tsx` is a name. As groups they would also make expressions that take for ever. */
const literalParens = (pattern: string): string =>
  pattern.normalize('NFC').replace(/\\.|[()|]/gs, (one) => (one.length > 1 ? one : `\\${one}`));

export function folderOf(pattern: string): string {
  const names = pattern.split('/').slice(0, -1);
  const first = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  return (first === -1 ? names : names.slice(0, first)).filter((name) => name !== '.').join('/');
}

export function namedBy(pattern: string): string | undefined {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1);
  return /[*?[\]{}\\]/.test(name) ? undefined : name;
}

/** @throws Ben10Error USAGE for what is no pattern, leads out, or would take long to match */
export function checkedGlob(pattern: string): string {
  const names = pattern.split('/');
  const isRead =
    pattern !== '' &&
    pattern.length <= GLOB_CHARS_MAX &&
    !/[\x00-\x1f]|^\//.test(pattern) &&
    !/(?:^|[/{,])\.\.(?:[/},]|$)/.test(pattern) &&
    names.every((name) => name === '**' || stars(name) <= STARS_MAX) &&
    names.filter((name) => name.includes('**')).length <= STARS_MAX &&
    (expansionsOf(pattern) ?? Number.POSITIVE_INFINITY) <= EXPANSIONS_MAX;
  if (isRead) return pattern;
  throw new Ben10Error('USAGE', `"${headOf(oneLine(pattern), 60)}" is no pattern for files`, {
    next: `A pattern has up to ${GLOB_CHARS_MAX} characters, ${STARS_MAX} stars in a name, ${STARS_MAX} times **, closed brackets, ${EXPANSIONS_MAX} choices in braces, and no "..".`,
  });
}

const stars = (name: string): number => name.split('*').length - 1;

/** How many patterns without braces it stands for; undefined where brackets are not closed. */
function expansionsOf(pattern: string): number | undefined {
  const plain = pattern.replace(/\\./g, '').replace(/\[[^\]/]+\]/g, '');
  if (/[[\]\\]/.test(plain)) return undefined;
  let product = 1;
  const open: number[] = [];
  for (const char of plain) {
    if (char === '{') open.push(1);
    if (char === ',' && open.length > 0) open.push(open.pop()! + 1);
    if (char !== '}') continue;
    const choices = open.pop();
    if (choices === undefined) return undefined;
    product *= choices;
  }
  return open.length === 0 ? product : undefined;
}
