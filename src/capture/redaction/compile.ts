import { type RedactionOptions, redactionOptions } from './options.ts';
import { isRuleId, type RedactionRule, RULE_ID_CHARS_MAX } from './rule.ts';
import { BUILTIN_RULES } from './rules.ts';
import { whyRefused } from './vet-pattern.ts';

/** The part of a configuration that is about redaction. */
export interface RedactionConfig {
  /** Own kinds of secrets. A lookbehind keeps a label visible; `flags` are any of `imsu`. */
  patterns?: readonly { id: string; pattern: string; flags?: string | undefined }[] | undefined;
  /** Regular expressions; a secret that one of them matches as a whole is left alone. */
  allow?: readonly string[] | undefined;
}

export interface RedactionProblem {
  /** Where in the configuration: `patterns[2]`, `allow[0]`. Not its text, which may be the secret itself. */
  pattern: string;
  why: string;
}

/** Longer expressions are a list of secrets rather than a pattern of them. */
export const PATTERN_CHARS_MAX = 500;

/** Each pattern is one more pass over every text. */
export const PATTERNS_MAX = 100;

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
  const ids = new Set(BUILTIN_RULES.map((rule) => rule.id));
  const rules: RedactionRule[] = [...BUILTIN_RULES];
  for (const [index, entry] of listed(config.patterns, 'patterns', problems)) {
    const why = whyNoRule(entry, ids);
    if (why !== undefined) {
      problems.push({ pattern: `patterns[${index}]`, why });
      continue;
    }
    const { id, pattern, flags = '' } = entry as { id: string; pattern: string; flags?: string };
    ids.add(id);
    rules.push({ id, pattern: new RegExp(pattern, `${flags}g`) });
  }
  const allow: RegExp[] = [];
  for (const [index, entry] of listed(config.allow, 'allow', problems)) {
    const why = whyNoPattern(entry, '');
    if (why === undefined) allow.push(new RegExp(`^(?:${entry})$`));
    else problems.push({ pattern: `allow[${index}]`, why });
  }
  return { options: redactionOptions(rules, allow), problems };
}

function listed(list: unknown, name: string, problems: RedactionProblem[]): [number, unknown][] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    problems.push({ pattern: name, why: 'it is not a list' });
    return [];
  }
  if (list.length > PATTERNS_MAX) {
    problems.push({ pattern: name, why: `only the first ${PATTERNS_MAX} are used` });
  }
  return [...list.slice(0, PATTERNS_MAX).entries()];
}

function whyNoRule(entry: unknown, ids: ReadonlySet<string>): string | undefined {
  const { id, pattern, flags = '' } = (entry ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || !isRuleId(id)) {
    return `its id is not upper-case words joined by "-", at most ${RULE_ID_CHARS_MAX} characters`;
  }
  if (ids.has(id)) return 'its id is already that of another rule';
  if (typeof flags !== 'string' || !FLAGS.test(flags)) return 'its flags are not any of i, m, s, u';
  return whyNoPattern(pattern, flags);
}

function whyNoPattern(source: unknown, flags: string): string | undefined {
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
  const refused = whyRefused(source, flags);
  if (refused !== undefined) return refused;
  return pattern.test('') ? 'it matches the empty text' : undefined;
}
