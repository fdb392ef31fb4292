export {
  compileRedaction,
  problemText,
  type RedactionConfig,
  type RedactionProblem,
} from './compile.ts';
export { LINE_OF_DASHES } from './fragments.ts';
export { onlyRule, ruleIds } from './only-rule.ts';
export type { RedactionOptions } from './options.ts';
export { privateState, TAG_CHARS_MAX } from './private-tag.ts';
export { findSecrets, type NamedFound, redactText } from './redact.ts';
export { type RedactedValue, redactStored, redactValue, redactValues } from './redact-value.ts';
export type { RedactionCount, RedactionRule } from './rule.ts';
export { pemBodyEnd } from './rules-here.ts';
