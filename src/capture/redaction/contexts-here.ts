import { PRIVATE_KEY } from './pem.ts';
import { PRIVATE_KEY_TAIL } from './pem-tail.ts';
import type { RedactionRule } from './rule.ts';
import { CONTEXT_RULES } from './table/context-rules.ts';

export { pemBodyEnd } from './pem.ts';
export { plainPlaces } from './table/plain-places.ts';

/** The rules for keys in PEM, and all those of `table/` but its tokens. The table's bundle has `contexts-apart.ts` in the place of this file. */
export const keyRules = (): readonly RedactionRule[] => KEY_RULES;
export const contextRules = (): readonly RedactionRule[] => CONTEXT_RULES;

const KEY_RULES = [PRIVATE_KEY, PRIVATE_KEY_TAIL];
