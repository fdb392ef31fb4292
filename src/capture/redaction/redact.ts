import { type Found, mergeFound } from './merge.ts';
import { isAllowed, type RedactionOptions, type RuleSet, rulesFor } from './options.ts';
import {
  MARKER,
  marker,
  type NamedSpan,
  type RedactionCount,
  type RedactionRule,
  type Span,
} from './rule.ts';

/**
 * A marker changes what stands beside it, so the text is searched again until nothing is found; that makes redacting
 * twice the same as once. The second round nearly always finds nothing. The bound is for patterns of a configuration
 * that reveal one match after the other: they would make the cost quadratic.
 */
const ROUNDS_MAX = 8;

/**
 * Replaces every secret by `[REDACTED:<RULE>]`. Returns the very same string when there is none. Never throws, and
 * nothing but `text` holds any part of a secret.
 */
export function redactText(
  text: string,
  options: RedactionOptions,
): { text: string; counts: RedactionCount } {
  const counts: RedactionCount = {};
  if (options.first !== undefined && !mayHoldSecret(text, options.first)) return { text, counts };
  let current = text;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = findAll(current, options);
    if (found.length === 0) break;
    current = replace(current, found, counts);
  }
  return { text: current, counts };
}

/** Every secret of the text, ordered, without overlaps. */
function findAll(text: string, options: RedactionOptions): Found[] {
  const found: Found[] = [];
  for (const rule of rulesFor(text, options)) {
    findWith(rule, text, options, found);
  }
  return found.length === 0 ? found : mergeFound(found, markersOf(text, options));
}

/**
 * Whether the rules can find anything at all. What a configuration allows counts: the answer may be a yes too many, never a
 * no too many.
 */
export function mayHoldSecret(text: string, first: RuleSet): boolean {
  return rulesFor(text, first).some((rule) => {
    for (const _ of rule.find?.(text) ?? spansOf(rule, text)) return true;
    return false;
  });
}

/** Every secret of the text with its place and its rule: what `redactText` replaces in its first round. */
export function findSecrets(text: string, options: RedactionOptions): readonly NamedFound[] {
  if (options.first !== undefined && !mayHoldSecret(text, options.first)) return [];
  return findAll(text, options);
}

/** What was found, named by its rule. */
export type NamedFound = Pick<Found, 'start' | 'end' | 'id'>;

function findWith(
  rule: RedactionRule,
  text: string,
  options: RedactionOptions,
  found: Found[],
): void {
  const rank = options.rules.indexOf(rule);
  for (const { start, end, id = rule.id } of spansOf(rule, text)) {
    if (!isAllowed(text.slice(start, end), options)) found.push({ start, end, id, rank });
  }
}

/** What one rule finds, in order. */
export function* spansOf(rule: RedactionRule, text: string): Generator<NamedSpan> {
  if (rule.find !== undefined) yield* rule.find(text);
  const pattern = rule.pattern?.();
  if (pattern === undefined) return;
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
function exec(pattern: RegExp, text: string): RegExpExecArray | null {
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

/** Markers that one of the rules wrote before. Nothing inside one is a secret. */
function markersOf(text: string, options: RedactionOptions): Span[] {
  const markers: Span[] = [];
  if (!text.includes('[REDACTED:')) return markers;
  const ids = new Set(options.rules.flatMap((rule) => [rule.id, ...(rule.ids ?? [])]));
  for (const match of text.matchAll(MARKER)) {
    if (!ids.has(match[1] ?? '')) continue;
    markers.push({ start: match.index, end: match.index + match[0].length });
  }
  return markers;
}

function replace(text: string, found: readonly Found[], counts: RedactionCount): string {
  let result = '';
  let from = 0;
  for (const { start, end, id } of found) {
    result += text.slice(from, start) + marker(id);
    counts[id] = (counts[id] ?? 0) + 1;
    from = end;
  }
  return result + text.slice(from);
}
