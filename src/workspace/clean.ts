import { headOf } from '../projections/bounds.ts';
import { contained } from '../projections/safe-text.ts';

/** Longer text from outside is cut here first, characters. */
const LOOKED_AT_CHARS = 20_000;

/** Turns text from outside into text that may be shown and stored. */
export type Clean = (text: string, chars: number) => string;

/**
 * Redacts first, so that no secret is cut in two; then removes control and invisible characters and line breaks.
 * @param redact removes secrets
 */
export const cleaner =
  (redact: (text: string) => string): Clean =>
  (text, chars) => {
    const plain = contained(redact(text.slice(0, LOOKED_AT_CHARS)));
    return headOf(plain.replace(/\s+/g, ' ').trim(), chars);
  };
