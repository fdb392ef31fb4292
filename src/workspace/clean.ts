import { headOf } from '../projections/bounds.ts';
import { contained } from '../projections/safe-text.ts';

/** Longer text of others is looked at no further, characters. */
const LOOKED_AT_CHARS = 20_000;

/** How text from outside becomes text that may be shown and kept. */
export type Clean = (text: string, chars: number) => string;

/**
 * Secrets go first, so that none is cut in two; then what a terminal obeys or a reader does not see, and line ends.
 * @param redact takes secrets out
 */
export const cleaner =
  (redact: (text: string) => string): Clean =>
  (text, chars) => {
    const plain = contained(redact(text.slice(0, LOOKED_AT_CHARS)));
    return headOf(plain.replace(/\s+/g, ' ').trim(), chars);
  };
