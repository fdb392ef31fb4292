import { expression, type Pattern } from './expression.ts';
import type { Places } from './places.ts';

/** A stretch of a text, in UTF-16 units: `start` inclusive, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A stretch that has a name of its own: a rule may know a secret better than by its own id. */
export interface NamedSpan extends Span {
  readonly id?: string | undefined;
  /** All of the name that it is assigned to. */
  readonly label?: string;
  /** The others of the same list, in order. */
  readonly more?: readonly Span[];
}

/** How one kind of secret is found. What it finds is replaced by `[REDACTED:<id>]`. */
export interface RedactionRule {
  /** UPPER-KEBAB, used in the marker and in the counts. */
  readonly id: string;
  /** The ids that its finds may have besides. */
  readonly ids?: readonly string[];
  /**
   * What the scanner must have found for this rule to find anything, of `kinds.ts`. A pattern is then sticky, and tried at
   * each of those places; without it the pattern is global, and every text is searched.
   */
  readonly kind?: number;
  /** Whether the pattern is worth trying at a place; see `near`. */
  readonly mayMatch?: (text: string, at: number) => boolean;
  /** How far the pattern looks before and behind a place at most, characters, where that is not far; see `near`. */
  readonly reach?: number;
  /** How far it looks before a place, where that is less. */
  readonly reachBefore?: number;
  /**
   * Linear in the text, so every repetition is bounded or cannot be followed by a failure. A rule has this or `find`.
   */
  readonly pattern?: Pattern;
  /** What `pattern` matches at a place, in plain code: most secrets stand behind a few words, and V8 takes long for an expression. */
  readonly matchAt?: (text: string, at: number) => string | undefined;
  /** Every secret of a text, in order, in linear time: for what is more than one place after the other. */
  readonly find?: (text: string, places: Places) => Iterable<NamedSpan>;
  /** The number of the group, at the very start of the match, that stays visible (a label, a scheme, a user name). */
  readonly keep?: number;
  /**
   * For what a regular expression cannot say in linear time (nesting, "up to the end of what still looks like a key")
   * or should not say (what is a placeholder): the secret's place, given a match of `pattern`, or undefined if there is
   * none. It looks at a bounded stretch, or only as far as the span that it returns.
   */
  readonly locate?: (text: string, match: RegExpExecArray) => NamedSpan | undefined;
  /** Whether the string under this key of an object is a secret as a whole (`{"password": "…"}` after parsing). */
  readonly underKey?: (key: string, value: string) => boolean;
  /** The id of what `underKey` found, where the rule knows it better than by its own. */
  readonly nameUnderKey?: (key: string, value: string) => string | undefined;
}

/** How often each rule's marker was written, by rule id. */
export interface RedactionCount {
  [ruleId: string]: number;
}

/** Longest rule id, so that a marker stays a short and recognisable word. */
export const RULE_ID_CHARS_MAX = 40;

const RULE_ID = /^[A-Z0-9]+(?:-[A-Z0-9]+)*$/;

export function isRuleId(id: string): boolean {
  return id.length <= RULE_ID_CHARS_MAX && RULE_ID.test(id);
}

export function marker(ruleId: string): string {
  return `[REDACTED:${ruleId}]`;
}

/** Every marker, whoever's rule wrote it. Group 1 is the rule id. */
export const MARKER = /\[REDACTED:([A-Z0-9-]{1,40})\]/g;

/**
 * Whether what stands at a place begins like the pattern (its source, any case) within so many characters. V8 makes machine
 * code of an expression at once where the text has 1,000 characters and more, which takes longer than all else that a hook
 * does with it; so a short text is cut out first.
 */
export function near(source: string, chars: number): (text: string, at: number) => boolean {
  const start = expression(source, 'iy');
  return (text, at) => {
    start.lastIndex = 0;
    return start.test(text.slice(at, at + chars));
  };
}

/** Makes what `make` makes once, when it is first asked for. */
export function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
