import type { Found } from './merge.ts';
import type { RedactionOptions } from './options.ts';
import { marker, type RedactionCount } from './rule.ts';
import { findAll } from './search/find.ts';

/**
 * A marker changes what stands beside it, so the text is searched again until nothing is found; that makes redacting
 * twice the same as once. The bound is for patterns of a configuration that reveal one match after the other.
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
    current = withMarkers(current, found, counts);
  }
  return { text: current, counts };
}

/** What was found, named by its rule. */
export type NamedFound = Pick<Found, 'start' | 'end' | 'id'>;

/** Every secret of the text with its place and its rule: what `redactText` replaces in its first round. */
export const findSecrets = (text: string, options: RedactionOptions): readonly NamedFound[] =>
  findAll(text, options);

function withMarkers(text: string, found: readonly Found[], counts: RedactionCount): string {
  let result = '';
  let from = 0;
  for (const { start, end, id } of found) {
    result += text.slice(from, start) + marker(id);
    counts[id] = (counts[id] ?? 0) + 1;
    from = end;
  }
  return result + text.slice(from);
}
