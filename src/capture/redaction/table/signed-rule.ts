import { expression, type Pattern } from '../expression.ts';
import type { NamedSpan, RedactionRule, Span } from '../rule.ts';
import { isSign } from '../signs.ts';

/** Any word of the kind. */
export const ANY: readonly string[] = [''];

/** Whether one of the words stands at one of the places. */
export const stands = (
  text: string,
  places: readonly number[],
  words: readonly string[],
): boolean => places.some((at) => words.some((word) => text.startsWith(word, at)));

/**
 * A rule for a text in which the scanner found a sign of this name, so that the hook knows when to ask for it.
 * @param words of its kind in `literals.ts`, of which one must stand in the text: to search for each would take longer
 * @param source of the pattern; what group 1 matches, at its start, stays visible
 * @param place the secret's place, where that is not all of the match behind group 1
 */
export function signedRule(
  id: string,
  kind: number,
  words: readonly string[],
  source: string,
  flags = 'g',
  place: (text: string, match: RegExpExecArray) => NamedSpan | undefined = behindLead,
): RedactionRule {
  const pattern = expression(source, flags);
  return {
    id,
    kind,
    find: (text, places) =>
      stands(text, places.at(kind), words) && isSign(kind, text, places)
        ? spansOf(text, pattern, place)
        : [],
  };
}

function* spansOf(
  text: string,
  pattern: Pattern,
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
