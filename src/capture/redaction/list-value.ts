import { valueAt } from './assigned-value.ts';
import type { Span } from './rule.ts';

/** What code has between a separator and a list's bracket. */
const TYPES = ['string[] = ', 'list[str] = ', '[]string', 'vec!'];
/** Read of a list without finding a secret, characters: a text of nothing but lists under labels is not read again at each. */
const LIST_CHARS_MAX = 1024;

/** White space, also as its escapes. */
const BLANKS = /^(?:\s|\\{1,7}[nrt]){0,99}/;
const blanksEnd = (text: string, at: number): number =>
  at + BLANKS.exec(text.slice(at, at + LIST_CHARS_MAX))![0].length;

/**
 * The secrets among the strings of the list that begins at `from`: `["…", "…"]`, `("…", "…")`, `{"…", "…"}`, of a shell without
 * commas. It ends at what is no string, and at the key of an object.
 */
export function listedSecrets(
  text: string,
  from: number,
  isOne: (value: string) => boolean,
): Span[] {
  const found: Span[] = [];
  const open = from + (TYPES.find((type) => text.startsWith(type, from)) ?? '').length;
  if (!'[({'.includes(text[open] ?? ' ')) return found;
  for (let at = open + 1, seen = at; at - seen < LIST_CHARS_MAX; ) {
    const start = blanksEnd(text, at);
    const value = valueAt(text, start, ',');
    if (!value?.closed) break;
    const end = value.end();
    // The mark that closes is as long as the one that opens.
    at = blanksEnd(text, end + value.start - start);
    if (!',])}"\'\\'.includes(text[at] ?? ' ')) break;
    if (isOne(value.text)) {
      found.push({ start: value.start, end });
      seen = end;
    }
    if (text[at] === ',') at += 1;
  }
  return found;
}
