import { expression } from './expression.ts';
import * as KIND from './kinds.ts';
import type { RedactionRule } from './rule.ts';

/** Longer ones are none. */
export const TAG_CHARS_MAX = 220;
const TAG = String.raw`private(?:\s[^<>/]{0,200})?>`;
const OPENING_OR_CLOSING = new RegExp(`<(/?)${TAG}`, 'gi');

/** The end of the block whose opening tag ends at `from`: blocks nest, and an unclosed one goes to the text's end. */
function blockEnd(text: string, from: number): number {
  let depth = 1;
  OPENING_OR_CLOSING.lastIndex = from;
  for (;;) {
    const tag = OPENING_OR_CLOSING.exec(text);
    if (tag === null) return text.length;
    depth += tag[1] === '' ? 1 : -1;
    if (depth === 0) return tag.index + tag[0].length;
  }
}

/** What the user marked as not to be kept: `<private>…</private>`, tags included, in any case, over lines. */
export const PRIVATE_TAG: RedactionRule = {
  id: 'PRIVATE',
  kind: KIND.privateTag,
  pattern: expression(`<${TAG}`, 'iy'),
  locate: (text, found) => {
    // `Options<Private>` is a type argument.
    const isTypeArgument = found[0].startsWith('<Pri') && /\w/.test(text[found.index - 1] ?? '');
    if (isTypeArgument) return undefined;
    return { start: found.index, end: blockEnd(text, found.index + found[0].length) };
  },
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
