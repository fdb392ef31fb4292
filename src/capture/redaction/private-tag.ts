import type { NamedSpan, Rule } from './rule.ts';

/** Longer ones are none. */
export const TAG_CHARS_MAX = 220;
/** As they are, as HTML escapes them, and as JSON does. */
const OPEN = String.raw`(?:<|&lt;|\\{1,8}u003c)`;
const CLOSE = String.raw`(?:>|&gt;|\\{1,8}u003e)`;
const TAG = String.raw`private(?:\s(?:[^<>]{0,199}?[^<>/])?)?${CLOSE}`;
const OPENING_OR_CLOSING = new RegExp(`${OPEN}(/?)${TAG}`, 'gi');
const OPENING = new RegExp(OPEN + TAG, 'iy');

/**
 * The end of the block whose opening tag ends at `from`: blocks nest, and an unclosed one goes to the text's end. A closing tag
 * that is one too many is the end all the same: what somebody has pasted into the block may have had the first.
 */
function blockEnd(text: string, from: number): number {
  let depth = 1;
  let end = text.length;
  OPENING_OR_CLOSING.lastIndex = from;
  for (;;) {
    const tag = OPENING_OR_CLOSING.exec(text);
    if (tag === null) return end;
    const isOpening = tag[1] === '';
    if (isOpening && depth === 0) return end;
    depth += isOpening ? 1 : depth > 0 ? -1 : 0;
    if (depth === 0) end = tag.index + tag[0].length;
  }
}

/** `Options<Private>` is a type argument; those are never closed. */
function isTypeArgument(text: string, start: number, tag: string): boolean {
  if (!/^\W+(?:lt;|u003c)?Pri/.test(tag) || !/\w/.test(text[start - 1] ?? '')) return false;
  OPENING_OR_CLOSING.lastIndex = start + tag.length;
  return OPENING_OR_CLOSING.exec(text)?.[1] !== '/';
}

function* find(text: string, at: number): Generator<NamedSpan> {
  OPENING.lastIndex = 0;
  const tag = OPENING.exec(text.slice(at, at + TAG_CHARS_MAX))?.[0];
  if (tag === undefined || isTypeArgument(text, at, tag)) return;
  let start = at;
  // JSON inside JSON escapes the backslash.
  while (tag[0] === '\\' && text[start - 1] === '\\') start -= 1;
  yield { start, end: blockEnd(text, at + tag.length), id: 'PRIVATE' };
}

/** What the user marked as not to be kept: `<private>…</private>`, tags included, in any case, over lines, also escaped. */
export const PRIVATE_TAG: Rule = {
  id: 'PRIVATE',
  kind: 'word',
  keywords: ['<private', '&lt;private', '\\u003cprivate'],
  find,
  source: 'README',
};

/**
 * What of the blocks in a text begins or ends outside of it: how many are open at its end, and where the last ends that
 * nothing in the text opens (0 when none does).
 * @param open how many are known to be open at its beginning
 */
export function privateState(text: string, open = 0): { open: number; end: number } {
  const state = { open, end: 0 };
  OPENING_OR_CLOSING.lastIndex = 0;
  for (const tag of text.matchAll(OPENING_OR_CLOSING)) {
    if (tag[1] === '') state.open += 1;
    else if (state.open > 0) state.open -= 1;
    else state.end = tag.index + tag[0].length;
  }
  return state;
}
