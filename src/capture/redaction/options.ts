import type { Places } from './places.ts';
import { onDemand, type RedactionRule } from './rule.ts';

export interface RuleSet {
  /** In the table's order. */
  readonly rules: readonly RedactionRule[];
}

/** What a redaction works with; made once by `redactionOptions`, used for every text. */
export interface RedactionOptions extends RuleSet {
  /**
   * The rules that say whether a text may hold anything for the others: most hold nothing, and are never searched for all
   * of them. Without it every text is.
   */
  readonly first?: RuleSet;
  /** A secret that one of these matches as a whole is left alone. */
  readonly allow: readonly RegExp[];
  /** The same, to the letter. */
  readonly allowedTexts: ReadonlySet<string>;
}

export function redactionOptions(
  rules: readonly RedactionRule[],
  allow: readonly RegExp[] = [],
  allowedTexts: ReadonlySet<string> = new Set(),
): RedactionOptions {
  return { rules, allow, allowedTexts };
}

/** The same, but `all` is only asked for when one of the `first` rules finds something. */
export function stagedOptions(
  first: readonly RedactionRule[],
  all: () => readonly RedactionRule[],
  allow: readonly RegExp[],
  allowedTexts: ReadonlySet<string>,
): RedactionOptions {
  const whole = onDemand(all);
  return {
    first: { rules: first },
    allow,
    allowedTexts,
    get rules() {
      return whole();
    },
  };
}

/** The rules that can find something in a text with these places. */
export const rulesFor = (places: Places, { rules }: RuleSet): readonly RedactionRule[] =>
  rules.filter(({ kind }) => kind === undefined || places.has(kind));

/** The longest secret that an allowing pattern is asked about: it may look at each character more than once. */
export const ALLOWED_CHARS_MAX = 1024;

export function isAllowed(
  secret: string,
  { allow, allowedTexts }: Pick<RedactionOptions, 'allow' | 'allowedTexts'>,
): boolean {
  if (secret.length > ALLOWED_CHARS_MAX) return false;
  return allowedTexts.has(secret) || allow.some((pattern) => pattern.test(secret));
}

/** The pattern that matches the text itself. It is the text itself when that has no character of a pattern. */
export function escapeRegExp(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
