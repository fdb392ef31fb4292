import { PRIVATE_TAG } from './private-tag.ts';
import type { RedactionRule } from './rule.ts';
import { AWS_PAIR } from './table/aws-pair.ts';
import { CONTEXTS, KEYS } from './table/contexts.ts';
import { LABELS } from './table/labels.ts';
import { TOKENS } from './table/tokens.ts';
import { WEB_RULES } from './web-rules.ts';

/** Every rule that ben10 brings, the more telling before the more general: of two that find the same, the first names it. */
export const BUILTIN_RULES: readonly RedactionRule[] = [
  PRIVATE_TAG,
  KEYS,
  TOKENS,
  AWS_PAIR,
  CONTEXTS,
  ...WEB_RULES,
  LABELS,
];
