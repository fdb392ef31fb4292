export { compileRedaction, type RedactionConfig, type RedactionProblem } from './compile.ts';
export type { RedactionOptions } from './options.ts';
export { redactText } from './redact.ts';
export { type RedactedValue, redactValue } from './redact-value.ts';
export type { RedactionCount, RedactionRule } from './rule.ts';
