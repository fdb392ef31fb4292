import { valueAt } from './assigned-value.ts';
import type { Span } from './rule.ts';
import type { ValueForm } from './values.ts';

/** What code has between a separator and a list's bracket. */
const TYPES = ['string[] = ', 'list[str] = ', '[]string', 'vec!'];
/** Read of a list without finding a secret, characters: a text of nothing but lists under labels is not read again at each. */
const LIST_CHARS_MAX = 1024;

/** White space, also as its escapes. */
const BLANKS = /^(?:\s|\\{1,7}[nrt]){0,99}/;
const blanksEnd = (text: string, at: number): number =>
  at + BLANKS.exec(text.slice(at, at + LIST_CHARS_MAX))![0].length;

/** From an item of YAML, or its list's name, to the next item, which may stand in a diff or behind a line's number. */
const DASH =
  /^[ \t]{0,20}(?:#[^\r\n\\]{0,99})?(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)[+-]?(?: {0,6}\d{1,6}(?:\t|\\{1,7}t|\u2192))?[ \t]{0,48}-[ \t]{1,4}/;
const DASH_CHARS_MAX = 256;
/** Nothing behind an item but a comment: `- name: x` is none. */
const ITEM_END = /^(?:[ \t]{1,20}#|[ \t]{0,20}(?:$|[\r\n"\\]))/;

/** The same of YAML, an item a line, with marks or without. */
function blockSecrets(
  text: string,
  from: number,
  isOne: (value: string, form: ValueForm) => boolean,
): Span[] {
  const found: Span[] = [];
  for (let at = from, seen = at; at - seen < LIST_CHARS_MAX; ) {
    const dash = DASH.exec(text.slice(at, at + DASH_CHARS_MAX))?.[0];
    if (dash === undefined) break;
    const start = at + dash.length;
    const value = valueAt(text, start, ' ');
    if (value === undefined) break;
    const end = value.end();
    at = end + value.start - start;
    if (!ITEM_END.test(text.slice(at, at + DASH_CHARS_MAX))) break;
    if (isOne(value.text, value.closed ? 'quoted' : 'bare')) {
      found.push({ start: value.start, end });
      seen = end;
    }
  }
  return found;
}

/**
 * The secrets among the strings of the list that begins at `from`: `["…", "…"]`, `("…", "…")`, `{"…", "…"}`, of a shell without
 * commas. It ends at what is no string, and at the key of an object. Behind a line's end: those of a list of YAML.
 */
export function listedSecrets(
  text: string,
  from: number,
  isOne: (value: string, form: ValueForm) => boolean,
): Span[] {
  if ('\r\n\\'.includes(text[from] ?? ' ')) return blockSecrets(text, from, isOne);
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
    if (isOne(value.text, 'quoted')) {
      found.push({ start: value.start, end });
      seen = end;
    }
    if (text[at] === ',') at += 1;
  }
  return found;
}
