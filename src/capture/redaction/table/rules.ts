import { PRIVATE_TAG } from '../private-tag.ts';
import type { Rule } from '../rule.ts';
import { COMMANDS } from './commands.ts';
import { CONTEXTS } from './contexts.ts';
import { DOCUMENTS } from './documents.ts';
import { LABEL_RULES } from './label-rules.ts';
import { PEM_RULES } from './pem.ts';
import { SHAPED } from './shaped.ts';
import { TOKEN_RULES } from './token-rules.ts';
import { VENDOR_RULES } from './vendor-rules.ts';

/** Every rule that ben10 brings, the more telling before the more general: of two that find the same, the first names it. */
export const RULES: readonly Rule[] = [
  PRIVATE_TAG,
  ...PEM_RULES,
  ...SHAPED,
  ...TOKEN_RULES,
  ...VENDOR_RULES,
  ...CONTEXTS,
  ...COMMANDS,
  ...DOCUMENTS,
  ...LABEL_RULES,
];
