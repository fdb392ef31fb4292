import { expression } from './expression.ts';
import * as KIND from './kinds.ts';
import { LABEL_RULES } from './label-rules.ts';
import { PRIVATE_TAG } from './private-tag.ts';
import type { RedactionRule, Span } from './rule.ts';
import { hasSign } from './signs.ts';
import { WEB_RULES } from './web-rules.ts';
import { isAlphanumeric, isDigit, isWordChar } from './word-char.ts';

/**
 * Signs of two characters, which base64 is full of, and what of their tokens tells them from it: `custom-tokens.ts` has
 * Telegram's and Discord's, `tokens-services.ts` and `tokens-cloud.ts` Twilio's and Yandex'. The others are signs enough.
 * In plain code: V8 makes machine code of an expression that is used twice.
 */
function isToken(text: string, at: number): boolean {
  const start = text.slice(at, at + 41);
  if (start.startsWith('AA')) return ':aA'.includes(text[at - 1] ?? ' ');
  const isDiscord = 'MNO'.includes(start[0] ?? '') && 'DTjz'.includes(start[1] ?? '');
  if (isDiscord ? start.indexOf('.') < 23 : !start.startsWith('SK') && !start.startsWith('YC'))
    return !isDiscord;
  return isStart(start);
}

/** How many characters of one kind stand from `from` on, as far as `text` goes. */
function runLength(text: string, from: number, isOne: (code: number) => boolean): number {
  let end = from;
  while (end < text.length && isOne(text.charCodeAt(end))) end += 1;
  return end - from;
}

/** `SK` and 32 hex digits in lower case, `YC` and 38 of base64, three parts with 22 to 27 and 6 characters before the last. */
function isStart(start: string): boolean {
  if (start.startsWith('SK')) return runLength(start, 2, isHex) >= 32;
  if (start.startsWith('YC')) return runLength(start, 2, isBase64) === 38;
  const chars = runLength(start, 1, isAlphanumeric);
  const second = 1 + chars + '.'.length;
  return (
    chars >= 22 &&
    chars <= 27 &&
    start[second - 1] === '.' &&
    runLength(start.slice(0, second + 6), second, isBase64) === 6 &&
    start[second + 6] === '.'
  );
}
const isHex = (code: number): boolean => isDigit(code) || (code >= 0x61 && code <= 0x66);
const isBase64 = (code: number): boolean => isWordChar(code) || code === 0x2d;

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
