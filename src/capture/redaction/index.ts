import type { RedactionConfig, RedactionProblem } from './compile.ts';
import { engine } from './engine-here.ts';
import { DEFAULT_OPTIONS, type RedactionOptions } from './options.ts';
import type { NamedFound } from './redact.ts';
import type { RedactedValue } from './redact-value.ts';
import type { RedactionCount } from './rule.ts';
import { mayHoldSecret, mayNeedWork } from './search/gate.ts';

export type { RedactionConfig, RedactionProblem } from './compile.ts';
export { isAllowed, type RedactionOptions } from './options.ts';
export { privateState, TAG_CHARS_MAX } from './private-tag.ts';
export type { NamedFound } from './redact.ts';
export type { RedactedValue } from './redact-value.ts';
export { marker, type RedactionCount } from './rule.ts';

const isNone = (list: unknown): boolean =>
  list === undefined || list === null || (Array.isArray(list) && list.length === 0);

/**
 * The built-in rules and those of a configuration. What cannot be used is left out and reported, so that one wrong pattern never
 * switches the others off.
 */
export function compileRedaction(config: RedactionConfig = {}): {
  options: RedactionOptions;
  problems: RedactionProblem[];
} {
  const isPlain = isNone(config.patterns) && isNone(config.allow) && config.builtin !== false;
  return isPlain ? { options: DEFAULT_OPTIONS, problems: [] } : engine().compileRedaction(config);
}

/** A sentence for people; the rule's own text is not in it. */
export const problemText = ({ pattern, why }: RedactionProblem): string =>
  `redaction.${pattern}${pattern.startsWith('patterns') ? ' hides nothing' : ''}: ${why}`;

/**
 * Replaces every secret by `[REDACTED:<RULE>]`. Returns the very same string when there is none. Nothing but `text` holds any
 * part of a secret.
 */
export const redactText = (
  text: string,
  options: RedactionOptions,
): { text: string; counts: RedactionCount } =>
  mayHoldSecret(text, options) ? engine().redactText(text, options) : { text, counts: {} };

/** Every secret of the text with its place and its rule. */
export const findSecrets = (text: string, options: RedactionOptions): readonly NamedFound[] =>
  mayHoldSecret(text, options) ? engine().findSecrets(text, options) : [];

/**
 * Redacts every string of a JSON value, keys included, and what stands under a telling key or beside a telling name. Returns the
 * very same value when nothing changed.
 */
export const redactValue = (value: unknown, options: RedactionOptions): RedactedValue =>
  mayNeedWork(value, options)
    ? engine().redactValue(value, options)
    : { value, counts: {}, loneSurrogates: 0 };

/** The same of what is in the journal or was made of it, where `$blob` refers to a text beside it: references stay as they are. */
export const redactStored = (value: unknown, options: RedactionOptions): RedactedValue =>
  mayNeedWork(value, options)
    ? engine().redactStored(value, options)
    : { value, counts: {}, loneSurrogates: 0 };

/** Where the lines of a private key end that begin at `from`; undefined when none do. */
export const pemBodyEnd = (text: string, from: number): number | undefined =>
  engine().pemBodyEnd(text, from);

/** Every id that a secret may be named by. */
export const ruleIds = ({ own, builtin }: RedactionOptions): string[] => [
  ...(builtin ? engine().ruleIds() : ['PRIVATE']),
  ...own.map(({ id }) => id),
];

/** The same redaction, of which only what would be named so is left; undefined when there is no such id. */
export const onlyRule = (id: string, options: RedactionOptions): RedactionOptions | undefined =>
  ruleIds(options).includes(id) ? { ...options, only: id } : undefined;
