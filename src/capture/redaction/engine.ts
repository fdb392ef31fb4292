/** All of redaction behind its prefilter: what `redaction.cjs` is made of. */
export { compileRedaction } from './compile.ts';
export { findSecrets, redactText } from './redact.ts';
export { redactStored, redactValue } from './redact-value.ts';
export { usePrefilter } from './search/find.ts';
export { pemBodyEnd } from './table/pem.ts';
export { ruleIds } from './table/rules.ts';
