import { type NamedSpan, onDemand, type RedactionRule, type Span } from '../rule.ts';
import { isSign } from '../signs.ts';

/**
 * A rule for a text in which the scanner found a sign of this name, so that the hook knows when to ask for it.
 * @param source of the pattern; what group 1 matches, at its start, stays visible
 * @param place the secret's place, where that is not all of the match behind group 1
 */
export function signedRule(
  id: string,
  kind: number,
  source: string,
  flags = 'g',
  place: (text: string, match: RegExpExecArray) => NamedSpan | undefined = behindLead,
): RedactionRule {
  const pattern = onDemand(() => new RegExp(source, flags));
  return {
    id,
    kind,
    find: (text, places) => (isSign(kind, text, places) ? spansOf(text, pattern(), place) : []),
  };
}

/** The same, for texts that hold a word: many signs are of one kind, and a native search is the cheapest way to tell them apart. */
export const holding = (word: string, rule: RedactionRule): RedactionRule => ({
  ...rule,
  find: (text, places) => (text.includes(word) ? (rule.find?.(text, places) ?? []) : []),
});

function* spansOf(
  text: string,
  pattern: RegExp,
  place: (text: string, match: RegExpExecArray) => NamedSpan | undefined,
): Generator<NamedSpan> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const next = match.index + Math.max(1, match[0].length);
    const span = place(text, match);
    const isSome = span !== undefined && span.end > span.start;
    if (isSome) yield span;
    pattern.lastIndex = isSome ? Math.max(next, span.end) : next;
  }
}

/** All of the match behind its first group. */
export function behindLead(_text: string, match: RegExpExecArray): Span {
  return { start: match.index + (match[1] ?? '').length, end: match.index + match[0].length };
}
