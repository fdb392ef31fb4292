import { grammarSource } from './grammar.ts';
import { LABELLED_ROWS } from './labelled-rows.ts';

/** Each is made when a label has one of its words. */
const patterns = new Map<readonly string[], RegExp>();

function patternOf(grammars: readonly string[]): RegExp {
  let pattern = patterns.get(grammars);
  if (pattern === undefined) {
    pattern = new RegExp(`^(?:${grammars.map(grammarSource).join('|')})$`);
    patterns.set(grammars, pattern);
  }
  return pattern;
}

/** The longest value that any row describes, and more. */
const VALUE_CHARS_MAX = 128;

/**
 * The vendor's id for a secret that stands under this label, or undefined: general rules found it.
 * @param label all of the name that the value is assigned to
 */
export function labelledId(label: string, value: string): string | undefined {
  if (value.length > VALUE_CHARS_MAX) return undefined;
  const plain = label.toLowerCase().replace(/[-_.\s]/g, '');
  for (const [id, , , words, grammars] of LABELLED_ROWS) {
    for (const word of words)
      if (plain.includes(word) && patternOf(grammars).test(value)) return id;
  }
  return undefined;
}

export const LABELLED_IDS: readonly string[] = LABELLED_ROWS.map(([id]) => id);
