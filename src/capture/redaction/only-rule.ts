import { type RedactionOptions, redactionOptions } from './options.ts';
import type { RedactionRule } from './rule.ts';
import { spansOf } from './spans.ts';

/** Every id that a secret may be named by, in the table's order. */
export function ruleIds({ rules }: RedactionOptions): string[] {
  return [...new Set(rules.flatMap((rule) => (rule.ids === undefined ? [rule.id] : named(rule))))];
}

const named = (rule: RedactionRule): readonly string[] =>
  rule.pattern === undefined ? (rule.ids ?? []) : [rule.id, ...(rule.ids ?? [])];

/** The same redaction, of which only what would be named so is left; undefined when there is no such id. */
export function onlyRule(id: string, options: RedactionOptions): RedactionOptions | undefined {
  const rules = options.rules.filter((rule) => rule.id === id || rule.ids?.includes(id) === true);
  if (rules.length === 0) return undefined;
  return redactionOptions(
    rules.map((rule) => narrowed(rule, id)),
    options.allow,
    options.allowedTexts,
  );
}

function narrowed(rule: RedactionRule, id: string): RedactionRule {
  if (rule.ids === undefined) return rule;
  const { kind, underKey, nameUnderKey } = rule;
  return {
    id,
    ...(kind !== undefined && { kind }),
    find: (text, places) =>
      [...spansOf(rule, text, places)].filter((span) => (span.id ?? rule.id) === id),
    ...(underKey && {
      underKey: (key, value) =>
        underKey(key, value) && (nameUnderKey?.(key, value) ?? rule.id) === id,
    }),
  };
}
