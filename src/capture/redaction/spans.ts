import type { Pattern } from './expression.ts';
import type { Places } from './places.ts';
import type { NamedSpan, RedactionRule } from './rule.ts';

/** What one rule finds, in order. */
export function* spansOf(rule: RedactionRule, text: string, places: Places): Generator<NamedSpan> {
  if (rule.find !== undefined) yield* rule.find(text, places);
  if (rule.pattern === undefined) return;
  if (rule.kind === undefined) yield* everywhere(rule, rule.pattern, text);
  else yield* inPlaces(rule, rule.pattern, text, places.at(rule.kind));
}

function* inPlaces(
  rule: RedactionRule,
  pattern: Pattern,
  text: string,
  places: readonly number[],
): Generator<NamedSpan> {
  let from = 0;
  for (const at of places) {
    if (at < from || rule.mayMatch?.(text, at) === false) continue;
    const match = rule.matchAt
      ? matchOf(rule.matchAt(text, at), text, at)
      : matchAt(pattern, text, at, rule);
    if (match === null) continue;
    const span = place(rule, text, match);
    // A label that is none may have another one in what seemed to be its suffix.
    if (span === undefined || span.end <= span.start) continue;
    from = Math.max(at + match[0].length, span.end);
    yield span;
    for (const { start, end } of span.more ?? []) {
      from = end;
      yield { ...span, start, end };
    }
  }
}

/** As an expression would have it. */
const matchOf = (found: string | undefined, input: string, index: number) =>
  found === undefined ? null : (Object.assign([found], { index, input }) as RegExpExecArray);

function matchAt(pattern: Pattern, text: string, at: number, rule: RedactionRule) {
  const { reach = Number.POSITIVE_INFINITY, reachBefore = reach } = rule;
  const start = Math.max(0, at - reachBefore);
  pattern.lastIndex = at - start;
  const match = pattern.exec(text.slice(start, at + reach));
  if (match !== null) match.index += start;
  return match;
}

function* everywhere(rule: RedactionRule, pattern: Pattern, text: string): Generator<NamedSpan> {
  pattern.lastIndex = 0;
  for (let match = exec(pattern, text); match !== null; match = exec(pattern, text)) {
    const next = match.index + Math.max(1, match[0].length);
    const span = match === TOO_LONG ? { start: 0, end: text.length } : place(rule, text, match);
    const isSome = span !== undefined && span.end > span.start;
    pattern.lastIndex = isSome ? Math.max(span.end, next) : next;
    if (isSome) yield span;
  }
}

/** V8's backtracking stack holds some 16 million repetitions; beyond, `exec` throws. */
const TOO_LONG = Object.assign([''], { index: 0, input: '' }) as unknown as RegExpExecArray;

/** What a pattern of a configuration cannot be searched in is taken for a secret as a whole: nothing unsearched is kept. */
function exec(pattern: Pattern, text: string): RegExpExecArray | null {
  try {
    return pattern.exec(text);
  } catch {
    return TOO_LONG;
  }
}

function place(rule: RedactionRule, text: string, match: RegExpExecArray): NamedSpan | undefined {
  if (rule.locate !== undefined) return rule.locate(text, match);
  const kept = rule.keep === undefined ? 0 : (match[rule.keep]?.length ?? 0);
  return { start: match.index + kept, end: match.index + match[0].length };
}
