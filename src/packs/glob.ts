/** Tells whether a name, from the project's folder on, is one of a pattern's. */
export type Match = (name: string) => boolean;

/** @param patterns as `checkedGlob` lets them through */
export async function matcherOf(patterns: readonly string[]): Promise<Match> {
  if (patterns.length === 0) return () => false;
  const { default: picomatch } = await import('picomatch');
  const options = { dot: true, nonegate: true, noextglob: true, posix: true, windows: false };
  return picomatch(patterns.map(literalParens), options);
}

/** `app/(auth)/page.tsx` is a name. As groups they would also make expressions that take for ever. */
const literalParens = (pattern: string): string =>
  pattern.normalize('NFC').replace(/\\.|[()|]/gs, (one) => (one.length > 1 ? one : `\\${one}`));

/** The folder that all names of a pattern lie in. */
export function folderOf(pattern: string): string {
  const names = pattern.split('/').slice(0, -1);
  const first = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  return (first === -1 ? names : names.slice(0, first)).filter((name) => name !== '.').join('/');
}

/** A name that the pattern has in full. */
export function namedBy(pattern: string): string | undefined {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1);
  return /[*?[\]{}\\]/.test(name) ? undefined : name;
}
