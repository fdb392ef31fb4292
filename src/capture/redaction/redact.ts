import { mayHoldEscapes, SEQUENCE_CHARS_MAX, withoutEscapes } from './escapes.ts';
import * as KIND from './kinds.ts';
import { withoutKnown } from './known-values.ts';
import type { Found } from './merge.ts';
import { isAllowed, type RedactionOptions, type RuleSet, rulesFor } from './options.ts';
import { type Places, placesBehind, placesOf } from './places.ts';
import { mayHavePrefixes } from './prefix-signs.ts';
import { withoutPrefixes } from './prefixed-lines.ts';
import type { RedactionCount, Span } from './rule.ts';
import { disjointIn, withMarkers } from './rules-here.ts';
import { spansOf } from './spans.ts';

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
  const readings = readingsOf(text);
  return mayHoldAny(readings, options) ? redactAll(readings, options) : { text, counts: {} };
}

/**
 * The same, of a text that the first rules have found something in already.
 * @param places what the scanner has found in it, where that is known and the text has no sequences of a terminal
 */
export const redactSuspect = (text: string, options: RedactionOptions, places?: Places) =>
  redactAll(places === undefined ? readingsOf(text) : [{ text, places }], options);

function redactAll(
  readings: [Reading, ...Reading[]],
  options: RedactionOptions,
): { text: string; counts: RedactionCount } {
  const counts: RedactionCount = {};
  let current = readings;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = findAll(current, options);
    if (found.length === 0) break;
    current = readingsBehind(current, found, withMarkers(current[0].text, found, counts));
  }
  return { text: current[0].text, counts };
}

/** A text as it is searched. */
interface Reading {
  text: string;
  places: Places;
  /** Where what is found in it stands in the text as it was given. */
  original?: (span: Span) => Span;
}

/**
 * The text itself, and, where it has sequences of a terminal, without them: a program colours labels, signs, parts of
 * tokens, and more than once.
 */
function readingsOf(text: string): [Reading, ...Reading[]] {
  const itself = { text, places: placesOf(text) };
  const plain = withoutEscapes(text);
  return plain === undefined ? [itself] : [itself, { ...plain, places: placesOf(plain.text) }];
}

/** The same of the text in which markers stand in the place of what was found. */
function readingsBehind(
  [before, ...more]: [Reading, ...Reading[]],
  found: readonly Found[],
  text: string,
): [Reading, ...Reading[]] {
  // A marker's bracket may end what begins a sequence before it.
  const mayHoldMore = found.some(({ start }) =>
    mayHoldEscapes(`${before.text.slice(Math.max(0, start - SEQUENCE_CHARS_MAX), start)}[`),
  );
  if (more.length > 0 || mayHoldMore) return readingsOf(text);
  return [{ text, places: placesBehind(before.places, found, text) }];
}

/** A reading without what programs print before each line, where a secret may go over several of them. */
const linesOf = ({ text, places, original }: Reading): Reading[] =>
  mayHavePrefixes(text, places)
    ? withoutPrefixes(text, original).map((plain) => ({ ...plain, places: placesOf(plain.text) }))
    : [];

function mayHoldAny(readings: readonly Reading[], { first }: RedactionOptions): boolean {
  return (
    first === undefined ||
    readings.some((it) => mayHoldSecret(it.text, it.places, first)) ||
    readings.some((it) => mayHoldInLines(it, first))
  );
}

/** Whether the rules find anything in the text when its lines have lost what programs print before each. */
export const mayHoldInLines = (reading: Reading, first: RuleSet): boolean =>
  linesOf(reading).some((it) => mayHoldSecret(it.text, it.places, first));

/** Every secret of the text, ordered, without overlaps. */
function findAll(readings: readonly [Reading, ...Reading[]], options: RedactionOptions): Found[] {
  const found: Found[] = [];
  for (const reading of [...readings, ...readings.flatMap(linesOf)])
    findIn(reading, options, found);
  return found.length === 0 ? found : disjointIn(readings[0].text, found, options);
}

/**
 * Whether the rules can find anything at all. What a configuration allows counts: the answer may be a yes too many, never a
 * no too many.
 */
export function mayHoldSecret(text: string, places: Places, first: RuleSet): boolean {
  return rulesFor(places, first).some((rule) => {
    for (const _ of spansOf(rule, text, places)) return true;
    return false;
  });
}

/** Every secret of the text with its place and its rule: what `redactText` replaces in its first round. */
export function findSecrets(text: string, options: RedactionOptions): readonly NamedFound[] {
  const readings = readingsOf(text);
  return mayHoldAny(readings, options) ? findAll(readings, options) : [];
}

/** What was found, named by its rule. */
export type NamedFound = Pick<Found, 'start' | 'end' | 'id'>;

function findIn({ text, places, original }: Reading, options: RedactionOptions, found: Found[]) {
  const tokens: Span[] = [];
  let left: Places | undefined;
  for (const rule of rulesFor(places, options)) {
    const rank = options.rules.indexOf(rule);
    // Tokens come before all labels.
    if (rule.kind === undefined) left ??= withoutKnown(text, places, tokens);
    for (const span of spansOf(rule, text, left ?? places)) {
      if (isAllowed(text.slice(span.start, span.end), options)) continue;
      const { start, end } = original?.(span) ?? span;
      found.push({ start, end, id: span.id ?? rule.id, rank });
      if (rule.kind === KIND.token) tokens.push(span);
    }
  }
}
