import type { Rendered } from './render/render.ts';

/**
 * A payload in pages that are cut between items: together they are its bytes. An item that is larger than a page has one of its own.
 * @param most tokens of a page
 */
export function pagesOf(
  { head, included, tail, payload }: Pick<Rendered, 'head' | 'included' | 'tail' | 'payload'>,
  most: number,
): Buffer[] {
  const whole = Buffer.concat(payload);
  const pages: Buffer[] = [];
  let [from, to, size] = [0, 0, 0];
  for (const piece of whole.length === 0 ? [] : [head, ...included, tail]) {
    if (to > from && size + piece.tokens > most) {
      pages.push(whole.subarray(from, to));
      [from, size] = [to, 0];
    }
    to += piece.bytes;
    size += piece.tokens;
  }
  pages.push(whole.subarray(from, to));
  return pages;
}
