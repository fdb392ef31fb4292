import { changed, ERASED, type Finder } from './finder.ts';
import { formsOf } from './forms.ts';
import { isWrapped, replaceWrapped } from './unwrapped.ts';

/** Shorter texts stand everywhere. */
export const SECRET_CHARS_MIN = 4;

/** Finds texts in every form that `formsOf` knows. @param pattern finds the same and more of the kind in plain text */
export function textFinder(secrets: readonly string[], pattern?: RegExp): Finder {
  const forms = secrets.filter((text) => text.length >= SECRET_CHARS_MIN).map(formsOf);
  // The longest first: one form may be a part of another.
  const texts = [...new Set([...secrets, ...forms.flatMap((one) => one.texts)])].sort(
    (a, b) => b.length - a.length,
  );
  const needles = [...texts.map((text) => Buffer.from(text)), ...forms.flatMap((one) => one.bytes)];
  const base64 = [...new Set(forms.flatMap((one) => one.base64))];
  const isIn = (bytes: Buffer): boolean =>
    needles.some((needle) => bytes.includes(needle)) ||
    isWrapped(bytes.toString('latin1'), base64) ||
    finds(pattern, bytes.toString('utf8'));
  const withoutIt = (text: string): string => {
    let left = pattern === undefined ? text : text.replace(pattern, (found) => found && ERASED);
    for (const one of texts) if (left.includes(one)) left = left.replaceAll(one, ERASED);
    return replaceWrapped(left, base64, ERASED);
  };
  // A pattern may say where a text begins and ends, which the bytes around it do not.
  const mayBeIn = (payload: Buffer) => pattern !== undefined || isIn(payload);
  return { mayBeIn, isIn, withoutIt, dataWithoutIt: (data) => changed(data, withoutIt, isIn) };
}

function finds(pattern: RegExp | undefined, text: string): boolean {
  if (pattern === undefined) return false;
  for (const [found] of text.matchAll(pattern)) if (found !== '') return true;
  return false;
}
