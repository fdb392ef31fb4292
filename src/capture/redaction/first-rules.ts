import { expression } from './expression.ts';
import * as KIND from './kinds.ts';
import { LABEL_RULES } from './label-rules.ts';
import { PRIVATE_TAG } from './private-tag.ts';
import type { RedactionRule, Span } from './rule.ts';
import { hasSign } from './signs.ts';
import { WEB_RULES } from './web-rules.ts';

/**
 * Signs of two characters, which base64 is full of, and what of their tokens tells them from it: `custom-tokens.ts` has
 * Telegram's and Discord's, `tokens-services.ts` and `tokens-cloud.ts` Twilio's and Yandex'. The others are signs enough.
 * Expressions see what is cut out only: see `near`.
 */
function isToken(text: string, at: number): boolean {
  const start = text.slice(at, at + 41);
  if (start.startsWith('AA')) return ':aA'.includes(text[at - 1] ?? ' ');
  // Without the expression: V8 makes machine code of one that is used twice.
  const isDiscord = 'MNO'.includes(start[0] ?? '') && 'DTjz'.includes(start[1] ?? '');
  if (isDiscord ? start.indexOf('.') < 23 : !start.startsWith('SK') && !start.startsWith('YC'))
    return !isDiscord;
  return START.test(start);
}

const START = expression(
  '^(?:SK[\\da-f]{32}|YC[\\w-]{38}(?![\\w-])|[MNO][A-Za-z0-9]{22,27}\\.[\\w-]{6}\\.)',
);

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
      places.at(KIND.token).some((at) => isToken(text, at)) ? wholly(text) : [],
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
