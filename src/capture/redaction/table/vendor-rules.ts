import type { NamedSpan, Rule } from '../rule.ts';
import { type Assigned, assignedTo, nameAt } from '../search/assigned.ts';
import { entropyOf, isPlaceholder } from '../search/value-test.ts';
import { isRandom, isWordy } from '../search/words.ts';
import { grammarSource, leastRun } from './grammar.ts';
import { VENDORS } from './vendors.ts';

/** A row each. */
export const VENDOR_LINES = VENDORS.split('\n').filter((line) => line !== '');

export function vendorRow(line: string) {
  const fields = line.split(' ');
  const [id = '', words = ''] = fields;
  return { id, words: words.split(','), grammars: fields.slice(2, -1), source: fields.at(-1)! };
}

export const vendorRows = () => VENDOR_LINES.map(vendorRow);

/** What the grammar matches may still be a name of words. */
const isMade = ({ value, form }: Assigned): boolean => {
  if (isPlaceholder(value) || entropyOf(value) < 2.5) return false;
  if (!/\d/.test(value)) return form !== 'bare' && isRandom(value);
  return !/[A-Za-z]/.test(value) || !isWordy(value) || isRandom(value);
};

export function vendorRule(line: string): Rule {
  const { id, words, grammars, source } = vendorRow(line);
  let pattern: RegExp | undefined;
  const isOne = (one: Assigned): boolean => {
    // Vendors say hex, and mean it in either case.
    pattern ??= new RegExp(`^(?:${grammars.map(grammarSource).join('|')})$`, 'i');
    return pattern.test(one.value) && isMade(one);
  };
  function* find(text: string, at: number, keyword: string): Generator<NamedSpan> {
    for (const readings of assignedTo(text, nameAt(text, at, at + keyword.length, true))) {
      const one = readings.find(isOne);
      if (one !== undefined) yield { start: one.start, end: one.end, id };
    }
  }
  return {
    id,
    kind: 'vendor',
    keywords: words,
    get run() {
      return Math.min(...grammars.map(leastRun));
    },
    find,
    source,
  };
}
