import { onDemand } from '../rule.ts';
import { grammarSource } from './grammar.ts';
import { LABELLED_ROWS } from './labelled-rows.ts';

/** The ids that values under a label may have, each with what they look like; made when one stands under it. */
type Forms = readonly { id: string; pattern: () => RegExp }[];

/** Of labels that were met: most texts have few. */
const byLabel = new Map<string, Forms>();
const LABELS_MAX = 1000;

function formsOf(label: string): Forms {
  let forms = byLabel.get(label);
  if (forms === undefined) {
    forms = LABELLED_ROWS.filter(([, , , words]) => words.some((word) => label.includes(word))).map(
      ([id, , , , grammars]) => ({
        id,
        pattern: onDemand(() => new RegExp(`^(?:${grammars.map(grammarSource).join('|')})$`)),
      }),
    );
    if (byLabel.size >= LABELS_MAX) byLabel.clear();
    byLabel.set(label, forms);
  }
  return forms;
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
  return formsOf(plain).find(({ pattern }) => pattern().test(value))?.id;
}

export const LABELLED_IDS: readonly string[] = LABELLED_ROWS.map(([id]) => id);
