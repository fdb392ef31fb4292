import { type Found, mergeFound } from './merge.ts';
import { isAllowed, type RedactionOptions, rulesFor } from './options.ts';
import { MARKER, marker, type RedactionCount, type RedactionRule, type Span } from './rule.ts';

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

function findWith(
  rule: RedactionRule,
  text: string,
  options: RedactionOptions,
  found: Found[],
): void {
  const { id } = rule;
  const pattern = rule.pattern();
  const rank = options.rules.indexOf(rule);
  pattern.lastIndex = 0;
  for (let match = exec(pattern, text); match !== null; match = exec(pattern, text)) {
    const span = match === TOO_LONG ? { start: 0, end: text.length } : place(rule, text, match);
    const { start, end } = span ?? { start: 0, end: 0 };
    if (end > start && !isAllowed(text.slice(start, end), options)) {
      found.push({ start, end, id, rank });
    }
    pattern.lastIndex = Math.max(end, match.index + match[0].length, match.index + 1);
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

function place(rule: RedactionRule, text: string, match: RegExpExecArray): Span | undefined {
  if (rule.locate !== undefined) return rule.locate(text, match);
  const kept = rule.keep === undefined ? 0 : (match[rule.keep]?.length ?? 0);
  return { start: match.index + kept, end: match.index + match[0].length };
}

/** Markers that one of the rules wrote before. Nothing inside one is a secret. */
function markersOf(text: string, options: RedactionOptions): Span[] {
  const markers: Span[] = [];
  if (!text.includes('[REDACTED:')) return markers;
  const ids = new Set(options.rules.map((rule) => rule.id));
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
