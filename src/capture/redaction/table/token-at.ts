import { type NamedSpan, onDemand } from '../rule.ts';
import { CUSTOM_TOKENS } from './custom-tokens.ts';
import { entropyOf } from './entropy.ts';
import { grammarSource, SIGN_CHARS_MAX, signsOf } from './grammar.ts';
import type { TokenRow } from './row.ts';
import { CLOUD_TOKENS } from './tokens-cloud.ts';
import { CODE_TOKENS } from './tokens-code.ts';
import { SERVICE_TOKENS } from './tokens-services.ts';
import { WORK_TOKENS } from './tokens-work.ts';

/** Every token that its own beginning tells. */
export const TOKEN_ROWS: readonly TokenRow[] = [
  ...CODE_TOKENS,
  ...CLOUD_TOKENS,
  ...SERVICE_TOKENS,
  ...WORK_TOKENS,
];

/**
 * Bits a character that a token must have, its beginning included: one character again and again (`xxxx`) is an example,
 * and has at most 1.1. Anything else is taken for a token: to mark an example costs nothing, to miss a token does.
 */
export const ENTROPY_MIN = 1.3;

interface Matcher {
  id: string;
  pattern: () => RegExp;
  alone: boolean;
  entropy: number;
}

const matcher = (id: string, source: () => string, alone = false, entropy = ENTROPY_MIN) => ({
  id,
  pattern: onDemand(() => new RegExp(source(), 'y')),
  alone,
  entropy,
});

/** By the first characters of what they match. */
const matchers = onDemand(() => {
  const bySign = new Map<string, Matcher[]>();
  const add = (signs: readonly string[], one: Matcher) => {
    for (const sign of signs) bySign.set(sign, [...(bySign.get(sign) ?? []), one]);
  };
  for (const { id, signs, pattern, alone } of CUSTOM_TOKENS)
    add(
      signs,
      matcher(id, () => pattern, alone),
    );
  for (const [id, , , grammar, more] of TOKEN_ROWS)
    add(
      signsOf(grammar),
      matcher(id, () => grammarSource(grammar), more?.alone, more?.entropy),
    );
  return bySign;
});

/** Those that are met in base64, where no Kubernetes secret says that it is one. */
const WRAPPED = new Set(
  'GITHUB-TOKEN GITLAB-TOKEN NPM-TOKEN SLACK-TOKEN AWS-ACCESS-KEY GOOGLE-API-KEY STRIPE-KEY OPENAI-KEY ANTHROPIC-KEY JWT'.split(
    ' ',
  ),
);

/** The beginnings of all tokens, and of some in base64: what `token-signs.ts` must list. */
export function allSigns(): string[] {
  const all = [...matchers()];
  const wrapped = all.filter(
    ([sign, of]) => sign.length > 2 && of.some(({ id }) => WRAPPED.has(id)),
  );
  return [
    ...new Set([
      ...all.map(([sign]) => sign),
      ...wrapped.map(([sign]) => wrappedSign(sign)),
      wrappedSign('-----BEGIN'),
    ]),
  ].sort();
}

/** How the base64 of a text begins that begins with this sign, as far as its first three characters tell. */
const wrappedSign = (sign: string): string => Buffer.from(sign.slice(0, 3)).toString('base64');

/** The rest of an escape, a colour or a percent-encoded sign, which ends in a letter or digit. */
const AFTER_ESCAPE =
  /(?:\\[nrtbf]|\[[0-9;]{0,12}m|%(?:25){0,3}[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2})$/;
/** The longest of them that is looked back on, characters. */
const ESCAPE_CHARS_MAX = 15;

/** Whether what stands before `at` is no part of the same word. */
function isStart(text: string, at: number, alone: boolean): boolean {
  if (at === 0) return true;
  const before = text[at - 1] ?? '';
  if (/[^A-Za-z0-9]/.test(before)) {
    return !alone || !/[\w.-]/.test(before) || isRemovedLine(text, at - 1);
  }
  return AFTER_ESCAPE.test(text.slice(Math.max(0, at - ESCAPE_CHARS_MAX), at));
}

/** The sign of a diff before a line that is one token. */
const isRemovedLine = (text: string, at: number): boolean =>
  text[at] === '-' && /(?:^|\n|\\n)$/.test(text.slice(Math.max(0, at - 2), at));

/** How much of a token its entropy is computed from, characters. */
const JUDGED_CHARS_MAX = 256;

/** The widest token that begins at `at`; an id of '' where one looks like a token and is an example. */
export function tokenAt(text: string, at: number): NamedSpan | undefined {
  let widest: NamedSpan | undefined;
  for (let length = SIGN_CHARS_MAX; length >= 2; length -= 1) {
    for (const one of matchers().get(text.slice(at, at + length)) ?? []) {
      if (!isStart(text, at, one.alone)) continue;
      const pattern = one.pattern();
      pattern.lastIndex = at;
      if (!pattern.test(text)) continue;
      const end = pattern.lastIndex;
      if (widest !== undefined && widest.end >= end) continue;
      const isToken =
        entropyOf(text.slice(at, Math.min(end, at + JUDGED_CHARS_MAX))) >= one.entropy;
      widest = { start: at, end, id: isToken ? one.id : '' };
    }
  }
  return widest;
}
