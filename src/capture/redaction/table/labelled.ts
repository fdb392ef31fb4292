import type { Pattern } from '../expression.ts';
import { onDemand } from '../rule.ts';

import { idsOf, linesWith } from './lines-with.ts';
import { labelledLines } from './rows-here.ts';

/** The shortest part of a label that a row names. */
const START_CHARS = 3;

/** The ids that values under a label may have, each with what they look like; made when one stands under it. */
type Forms = readonly { id: string; pattern: Pattern }[];

/** Of labels that were met: most texts have few. */
const byLabel = new Map<string, Forms>();
const LABELS_MAX = 1000;

/** The rows of which a word is in the label, in their order. */
function linesFor(label: string): string[] {
  const lines = new Set<string>();
  for (let at = 0; at + START_CHARS <= label.length; at += 1) {
    for (const line of linesWith(labelledLines(), label.slice(at, at + START_CHARS))) {
      const words = line.slice(1, line.indexOf('\t')).split(' ');
      if (words.some((word) => label.startsWith(word, at))) lines.add(line);
    }
  }
  return [...lines].sort((a, b) => labelledLines().indexOf(a) - labelledLines().indexOf(b));
}

function formsOf(label: string): Forms {
  let forms = byLabel.get(label);
  if (forms === undefined) {
    forms = linesFor(label).map((line) => {
      const [, id = '', source = ''] = line.split('\t');
      return { id, pattern: new RegExp(source) };
    });
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
  const plain = [...label.toLowerCase()].filter((char) => !isJoint(char)).join('');
  return formsOf(plain).find(({ pattern }) => pattern.test(value))?.id;
}

/** `_`, `-`, `.` and space; without an expression, as `word-char.ts` says why. */
const isJoint = (char: string): boolean => '-_.'.includes(char) || char.trim() === '';

export const labelledIds = onDemand(() => idsOf(labelledLines()));
