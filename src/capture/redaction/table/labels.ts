import { LABEL_RULES } from '../label-rules.ts';
import type { NamedSpan, RedactionRule } from '../rule.ts';
import { spansOf } from '../spans.ts';
import { labelledId, labelledIds } from './labelled.ts';

/** How much of a value is judged, characters. */
const JUDGED_CHARS_MAX = 1024;

/** What a value is called as a secret because of its label; undefined if it is none. */
export function secretWithLabel(label: string, value: string): string | undefined {
  const judged = value.slice(0, JUDGED_CHARS_MAX);
  const rule = LABEL_RULES.find(({ underKey }) => underKey?.(label, judged) === true);
  return rule && (labelledId(label, value) ?? rule.id);
}

/** The rules for labels as one, which gives the vendor's name to what they find where there is one. */
export const LABELS: RedactionRule = {
  id: 'SECRET',
  get ids() {
    return [...new Set([...LABEL_RULES.map(({ id }) => id), ...labelledIds()])];
  },
  *find(text, places): Generator<NamedSpan> {
    for (const rule of LABEL_RULES) {
      if (!places.has(rule.kind!)) continue;
      for (const { start, end, label = '' } of spansOf(rule, text, places))
        yield { start, end, id: labelledId(label, text.slice(start, end)) ?? rule.id };
    }
  },
  underKey: (key, value) => LABEL_RULES.some((rule) => rule.underKey?.(key, value) === true),
  nameUnderKey: secretWithLabel,
};
