import { isUpper } from './word-char.ts';

/**
 * What people put behind a label without changing what it names: where it is used, which of two it is, how it is written, that it
 * stands there once more. In lower case.
 */
const LABEL_SUFFIXES: ReadonlySet<string> = new Set(
  (
    's prod production dev development test testing stage staging stg qa uat live sandbox local ci ' +
    'old new current previous prev next primary secondary backup default admin ' +
    'b64 base64 hex encoded plain plaintext raw value confirm confirmation repeat again verify v1 v2 v3 v4'
  ).split(' '),
);
/** The longest, and what joins it. */
export const SUFFIX_CHARS_MAX = 14;

/** Anything that may be one, as group 1 of an expression; `isLabelSuffix` says which are. */
export const MAYBE_SUFFIX = '([_-]?[a-z][a-z\\d]{0,12})';

const isJoint = (char: string | undefined): boolean => char === '_' || char === '-';

/** Whether the text is one, with what joins it: `_prod`, `-prod` or `Prod`, and `s`. `_path` goes on behind `_pat`. */
export function isLabelSuffix(text: string): boolean {
  const start = isJoint(text[0]) ? 1 : 0;
  const word = text.slice(start).toLowerCase();
  return LABEL_SUFFIXES.has(word) && (start > 0 || word === 's' || isUpper(text.charCodeAt(0)));
}

/** The name of a key without the suffix of its label; undefined where it has none. */
export function withoutSuffix(name: string): string | undefined {
  for (let at = name.length - 1; at > 0 && name.length - at <= SUFFIX_CHARS_MAX; at -= 1)
    if (isLabelSuffix(name.slice(at)) && !isJoint(name[at - 1])) return name.slice(0, at);
  return undefined;
}
