import type { OwnRule, RedactionOptions } from './options.ts';
import { isRuleId, RULE_ID_CHARS_MAX } from './rule.ts';
import { ruleIds } from './table/rules.ts';
import { whyRefused } from './vet-pattern.ts';

/** The part of a configuration that is about redaction. */
export interface RedactionConfig {
  /**
   * Own kinds of secrets. The id is written in upper case with dashes; `flags` are any of `imsu`; a lookbehind keeps a
   * label visible. What a pattern may look like is in `vet-pattern.ts`.
   */
  patterns?: readonly { id: string; pattern: string; flags?: string | undefined }[] | undefined;
  /** Secrets that are none: each is a text, or a regular expression, that the secret equals or matches as a whole. */
  allow?: readonly string[] | undefined;
  /** False where only what users marked and named themselves is a secret: `<private>` passages, and own patterns. */
  builtin?: boolean | undefined;
}

export interface RedactionProblem {
  /** Where in the configuration: `patterns[2]`, `allow[0]`. Not its text, which may be the secret itself. */
  pattern: string;
  why: string;
}

/** Longer expressions are a list of secrets rather than a pattern of them. */
export const PATTERN_CHARS_MAX = 1000;

/** Each pattern is one more pass over every text. */
export const PATTERNS_MAX = 100;

/** What is allowed is looked up only when something was found. */
export const ALLOW_MAX = 1000;

const FLAGS = /^(?!.*(.).*\1)[imsu]*$/;

/**
 * The built-in rules and those of a configuration after them. What cannot be used is left out and reported, so that one
 * wrong pattern never switches the others off. `config` comes from a file: its types are checked here too.
 */
export function compileRedaction(config: RedactionConfig = {}): {
  options: RedactionOptions;
  problems: RedactionProblem[];
} {
  const problems: RedactionProblem[] = [];
  const own = compileRules(config.patterns, problems);
  const { texts, patterns } = compileAllowed(config.allow, problems);
  const options = { own, builtin: config.builtin !== false, allow: patterns, allowedTexts: texts };
  return { options, problems };
}

const ID_TAKEN = 'its id is already that of another rule';

function compileRules(list: unknown, problems: RedactionProblem[]): OwnRule[] {
  const ids = new Set(ruleIds());
  const rules: OwnRule[] = [];
  for (const [index, entry] of listed(list, 'patterns', PATTERNS_MAX, problems)) {
    const { id, pattern, flags = '' } = (entry ?? {}) as Record<string, unknown>;
    const ruleId = typeof id === 'string' ? id.toUpperCase().replaceAll('_', '-') : '';
    const why = whyNoId(ruleId, ids) ?? whyNoFlags(flags) ?? whyNoPattern(pattern, String(flags));
    if (why === undefined) {
      ids.add(ruleId);
      const compiled = new RegExp(String(pattern), `${String(flags)}g`);
      rules.push({ id: ruleId, pattern: compiled });
    } else problems.push({ pattern: `patterns[${index}]`, why });
  }
  return rules;
}

function compileAllowed(list: unknown, problems: RedactionProblem[]) {
  const texts = new Set<string>();
  const patterns: RegExp[] = [];
  for (const [index, entry] of listed(list, 'allow', ALLOW_MAX, problems)) {
    if (typeof entry === 'string') texts.add(entry);
    if (typeof entry === 'string' && !/[\\^$.*+?()[\]{}|]/.test(entry)) continue;
    const why = whyNoPattern(entry, '', true) ?? whyTooWide(String(entry));
    if (why === undefined) patterns.push(new RegExp(`^(?:${String(entry)})$`));
    else
      problems.push({ pattern: `allow[${index}]`, why: `${why}; only the text itself is allowed` });
  }
  return { texts, patterns };
}

/** Made up: two tokens and two passwords that have nothing in common but to be some. */
const UNLIKE = [
  [
    'q7Rw2mXz9KpL4vTn8YbJ3cHd6GfS5aZe1UoQx',
    'Vb3nM8kWz2LqR7xTj5YhG9pDf4CsX6aEu1NiOoKt0ZrBvPmQw7LyHg',
  ],
  ['tK7#vQ2!w', 'Zr4$mX9&bLp'],
] as const;

/** A pattern that allows what is as unlike as these is meant for one of them, and lets every secret through. */
function whyTooWide(source: string): string | undefined {
  const pattern = new RegExp(`^(?:${source})$`);
  const isWide = UNLIKE.some((two) => two.every((one) => pattern.test(one)));
  return isWide
    ? 'it would allow nearly every secret; say what those that are none begin with'
    : undefined;
}

function listed(
  list: unknown,
  name: string,
  max: number,
  problems: RedactionProblem[],
): [number, unknown][] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    problems.push({ pattern: name, why: 'it is not a list' });
    return [];
  }
  if (list.length > max) problems.push({ pattern: name, why: `only the first ${max} are used` });
  return [...list.slice(0, max).entries()];
}

function whyNoId(id: string, ids: ReadonlySet<string>): string | undefined {
  if (!isRuleId(id)) {
    return `its id is not words of letters and digits joined by "-", at most ${RULE_ID_CHARS_MAX} characters`;
  }
  return ids.has(id) ? ID_TAKEN : undefined;
}

function whyNoFlags(flags: unknown): string | undefined {
  const known = typeof flags === 'string' && FLAGS.test(flags);
  return known ? undefined : 'its flags are not any of i, m, s, u, each once';
}

function whyNoPattern(source: unknown, flags: string, whole = false): string | undefined {
  if (typeof source !== 'string') return 'it is not a text';
  if (source.length > PATTERN_CHARS_MAX) return `it is longer than ${PATTERN_CHARS_MAX} characters`;
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, flags);
  } catch (error) {
    // V8's message quotes the whole pattern before its last colon.
    const reason = (error as Error).message.split(': ').at(-1) ?? '';
    return `it is not a valid regular expression (${reason})`;
  }
  const refused = whyRefused(source, flags, whole);
  if (refused !== undefined) return refused;
  return pattern.test('') ? 'it matches the empty text' : undefined;
}
