import { onDemand, type RedactionRule } from './rule.ts';

/** Rules, and what tells which of them can find something in a text. */
export interface RuleSet {
  readonly rules: readonly RedactionRule[];
  /**
   * Finds every literal of the rules' prefilters, the longest at each place, in a text in lower case: to compile it for
   * both cases takes twice as long.
   */
  readonly literals: RegExp;
  /** The rules of each literal that was found so far: most processes meet few of them. */
  readonly rulesOf: Map<string, readonly RedactionRule[]>;
  /** The rules that every text is searched with. */
  readonly always: readonly RedactionRule[];
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
  return { ...ruleSet(rules), allow, allowedTexts };
}

/** The same, but `all` is only asked for when one of the `first` rules finds something. */
export function stagedOptions(
  first: readonly RedactionRule[],
  all: () => readonly RedactionRule[],
  allow: readonly RegExp[],
  allowedTexts: ReadonlySet<string>,
): RedactionOptions {
  const whole = onDemand(() => ruleSet(all()));
  return {
    first: ruleSet(first),
    allow,
    allowedTexts,
    get rules() {
      return whole().rules;
    },
    get literals() {
      return whole().literals;
    },
    get rulesOf() {
      return whole().rulesOf;
    },
    get always() {
      return whole().always;
    },
  };
}

function ruleSet(rules: readonly RedactionRule[]): RuleSet {
  const literals = [...new Set(rules.flatMap((rule) => rule.prefilter ?? []))];
  const longestFirst = literals.sort((a, b) => b.length - a.length).map(escapeRegExp);
  return {
    rules,
    literals: new RegExp(longestFirst.join('|') || NEVER, 'g'),
    rulesOf: new Map(),
    always: rules.filter((rule) => rule.prefilter === undefined),
  };
}

const NEVER = '(?!)';

/** The rules that can find something in the text, in the table's order. One pass, whatever their number. */
export function rulesFor(text: string, options: RuleSet): readonly RedactionRule[] {
  const { literals, always } = options;
  const lower = text.toLowerCase();
  literals.lastIndex = 0;
  let hit = literals.exec(lower);
  if (hit === null) return always;
  const wanted = new Set<RedactionRule>(always);
  for (; hit !== null; hit = literals.exec(lower)) {
    for (const rule of rulesOf(hit[0], options)) wanted.add(rule);
    // Literals overlap (`pass` and `ssh_`): look again from the next character, not after the hit.
    literals.lastIndex = hit.index + 1;
  }
  return options.rules.filter((rule) => wanted.has(rule) && hasOneOf(rule.besides, text));
}

const hasOneOf = (signs: readonly string[] | undefined, text: string): boolean =>
  signs === undefined || signs.some((sign) => text.includes(sign));

/** A hit counts for every literal that it begins with: where `password` is, `pass` is too. */
function rulesOf(hit: string, options: RuleSet): readonly RedactionRule[] {
  let rules = options.rulesOf.get(hit);
  if (rules === undefined) {
    rules = options.rules.filter((rule) => rule.prefilter?.some((own) => hit.startsWith(own)));
    options.rulesOf.set(hit, rules);
  }
  return rules;
}

/** Whether any rule's prefilter could match the text. */
export function hasLiteral(text: string, options: RuleSet): boolean {
  options.literals.lastIndex = 0;
  return options.literals.test(text.toLowerCase());
}

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
