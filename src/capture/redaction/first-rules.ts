import { expression } from './expression.ts';
import * as KIND from './kinds.ts';
import { LABEL_RULES } from './label-rules.ts';
import { PRIVATE_TAG } from './private-tag.ts';
import type { RedactionRule, Span } from './rule.ts';
import { hasSign } from './signs.ts';
import { isTokenStart } from './token-shapes.ts';
import { WEB_RULES } from './web-rules.ts';

const wholly = (text: string): Span[] => [{ start: 0, end: text.length }];

/**
 * What every text is searched with. Where one of them finds something, all rules are asked, and theirs is the answer; so a
 * text in which none finds anything must hold nothing for any rule. That is why the signs of the other rules are here,
 * and every rule that knows keys of objects.
 */
export const FIRST_RULES: readonly RedactionRule[] = [
  { id: 'SIGN', find: (text, places) => (hasSign(text, places) ? wholly(text) : []) },
  {
    id: 'TOKEN-START',
    kind: KIND.token,
    find: (text, places) =>
      places.at(KIND.token).some((at) => isTokenStart(text, at)) ? wholly(text) : [],
  },
  PRIVATE_TAG,
  {
    id: 'PRIVATE-KEY',
    kind: KIND.privateKey,
    reach: 100,
    pattern: expression('-----(?:BEGIN|END) (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY', 'y'),
  },
  ...WEB_RULES,
  ...LABEL_RULES,
];
