import { onDemand } from '../rule.ts';
import { grammarSource } from './grammar.ts';
import { LABELLED_ROWS } from './labelled-rows.ts';

const rows = onDemand(() =>
  LABELLED_ROWS.map(([id, , , words, grammars]) => ({
    id,
    words,
    pattern: onDemand(() => new RegExp(`^(?:${grammars.map(grammarSource).join('|')})$`)),
  })),
);

/** The longest value that any row describes, and more. */
const VALUE_CHARS_MAX = 128;

/**
 * The vendor's id for a secret that stands under this label, or undefined: general rules found it.
 * @param label all of the name that the value is assigned to
 */
export function labelledId(label: string, value: string): string | undefined {
  if (value.length > VALUE_CHARS_MAX) return undefined;
  const plain = label.toLowerCase().replace(/[-_.\s]/g, '');
  return rows().find(
    ({ words, pattern }) => words.some((word) => plain.includes(word)) && pattern().test(value),
  )?.id;
}

export const LABELLED_IDS: readonly string[] = LABELLED_ROWS.map(([id]) => id);
