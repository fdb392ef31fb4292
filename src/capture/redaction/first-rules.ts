import { hasAnySign } from './context-signs.ts';
import { LABEL_RULES } from './label-rules.ts';
import { PRIVATE_KEY } from './pem.ts';
import { PRIVATE_TAG } from './private-tag.ts';
import type { RedactionRule, Span } from './rule.ts';
import { hasTokenStart } from './token-starts.ts';
import { WEB_RULES } from './web-rules.ts';

const wholly = (text: string): Span[] => [{ start: 0, end: text.length }];

/**
 * What every text is searched with. Where one of them finds something, all rules are asked, and theirs is the answer; so a
 * text in which none finds anything must hold nothing for any rule. That is why the signs of the other rules are here,
 * and every rule that knows keys of objects.
 */
export const FIRST_RULES: readonly RedactionRule[] = [
  PRIVATE_TAG,
  PRIVATE_KEY,
  ...WEB_RULES,
  ...LABEL_RULES,
  { id: 'TOKEN-START', find: (text) => (hasTokenStart(text) ? wholly(text) : []) },
  { id: 'SIGN', find: (text) => (hasAnySign(text) ? wholly(text) : []) },
];
