import type { Pattern } from '../expression.ts';
import { type NamedSpan, onDemand } from '../rule.ts';
import { isAlphanumeric } from '../word-char.ts';
import { hasEntropy } from './entropy.ts';
import { idsOf, linesWith } from './lines-with.ts';
import { tokenLines } from './rows-here.ts';

/** The shortest sign. */
const START_CHARS = 2;

/** A line of `TOKEN_LINES`, read. */
interface Matcher {
  id: string;
  /** Its first two to seven characters, any of them. */
  signs: readonly string[];
  pattern: Pattern;
  alone: boolean;
  entropy: number;
}

function matcherOf(line: string): Matcher {
  const [signs = '', id = '', alone, entropy, source = ''] = line.split('\t');
  return {
    id,
    signs: signs.slice(1).split(' '),
    pattern: new RegExp(source, 'y'),
    alone: alone !== '',
    entropy: Number(entropy),
  };
}

/** Those whose tokens may begin with these two characters. */
const byStart = new Map<string, readonly Matcher[]>();

function matchersAt(start: string): readonly Matcher[] {
  let own = byStart.get(start);
  if (own === undefined) {
    own = linesWith(tokenLines(), start).map(matcherOf);
    byStart.set(start, own);
  }
  return own;
}

/** Those that are met in base64, where no Kubernetes secret says that it is one. */
const WRAPPED = onDemand(
  () =>
    new Set(
      'GITHUB-TOKEN GITLAB-TOKEN NPM-TOKEN SLACK-TOKEN AWS-ACCESS-KEY GOOGLE-API-KEY STRIPE-KEY OPENAI-KEY ANTHROPIC-KEY JWT'.split(
        ' ',
      ),
    ),
);

/** What the tokens of the table are called. */
export const tokenIds = onDemand(() => idsOf(tokenLines()));

/** The beginnings of all tokens, and of some in base64: what `token-signs.ts` must list. */
export function allSigns(): string[] {
  const all = tokenLines().slice(1).split('\n').map(matcherOf);
  const wrapped = all.filter(({ id }) => WRAPPED().has(id)).flatMap(({ signs }) => signs);
  const every = new Set([
    ...all.flatMap(({ signs }) => signs),
    ...wrapped.filter((sign) => sign.length > 2).map((sign) => wrappedSign(sign)),
    wrappedSign('-----BEGIN'),
  ]);
  // A sign says as much as those that begin with it, unless words begin so, too, of which the scanner asks for more.
  const shorter = [...every].filter((sign) => !/^(?:[a-z]+|[A-Z]{1,3})$/.test(sign));
  return [...every]
    .filter((sign) => !shorter.some((own) => own !== sign && sign.startsWith(own)))
    .sort();
}

/** How the base64 of a text begins that begins with this sign, as far as its first three characters tell. */
const wrappedSign = (sign: string): string => Buffer.from(sign.slice(0, 3)).toString('base64');

/** The rest of an escape, a colour or a percent-encoded sign, which ends in a letter or digit. */
const AFTER_ESCAPE =
  /(?:\\[nrtbf]|\[[0-9;]{0,12}[mK]|%(?:25){0,3}[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2})$/;
/** The longest of them that is looked back on, characters. */
const ESCAPE_CHARS_MAX = 15;

/** Whether what stands before `at` is no part of the same word. */
function isStart(text: string, at: number, alone: boolean): boolean {
  if (at === 0) return true;
  const before = text[at - 1] ?? '';
  if (!isAlphanumeric(before.charCodeAt(0))) {
    return !alone || !/[\w.-]/.test(before) || isRemovedLine(text, at - 1);
  }
  return AFTER_ESCAPE.test(text.slice(Math.max(0, at - ESCAPE_CHARS_MAX), at));
}

/** The sign of a diff before a line that is one token, or grep's between a line and its file's name or its number. */
const isRemovedLine = (text: string, at: number): boolean =>
  text[at] === '-' &&
  /(?:^|\n|\\n|(?:^|[^A-Za-z0-9])\d{1,7}|\.[a-z]{1,8})$/.test(
    text.slice(Math.max(0, at - LINE_NUMBER_CHARS_MAX), at),
  );

/** A separator and the digits of a line's number, or a file's extension, characters. */
const LINE_NUMBER_CHARS_MAX = 9;

/** How much of a token its entropy is computed from, characters. */
const JUDGED_CHARS_MAX = 256;

/** As much of a text as most tokens need; V8 makes machine code of an expression for one of 1,000 characters and more. */
const NEAR_CHARS = 900;
/** A percent-encoded sign that the end of that may cut, characters, and more. */
const CUT_CHARS_MAX = 8;
/** What a pattern looks back on, characters: a bot's number. */
const BEFORE_CHARS_MAX = 20;

/** Where the token ends that begins at `at`. */
function endOf(pattern: Pattern, text: string, at: number): number | undefined {
  const start = Math.max(0, at - BEFORE_CHARS_MAX);
  pattern.lastIndex = at - start;
  const isOne = pattern.test(text.slice(start, start + NEAR_CHARS));
  const isWhole = isOne && pattern.lastIndex < NEAR_CHARS - CUT_CHARS_MAX;
  if (isWhole || text.length <= start + NEAR_CHARS)
    return isOne ? start + pattern.lastIndex : undefined;
  // It may go on behind that.
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The widest token that begins at `at`; an id of '' where one looks like a token and is an example. */
export function tokenAt(text: string, at: number): NamedSpan | undefined {
  let widest: NamedSpan | undefined;
  let sign = 0;
  for (const one of matchersAt(text.slice(at, at + START_CHARS))) {
    const own = one.signs.find((chars) => text.startsWith(chars, at));
    if (own === undefined || !isStart(text, at, one.alone)) continue;
    const end = endOf(one.pattern, text, at);
    if (end === undefined) continue;
    // Of two that see as much, the one that asks for more.
    if (widest !== undefined && (widest.end > end || (widest.end === end && sign >= own.length)))
      continue;
    sign = own.length;
    const isToken = hasEntropy(text.slice(at, Math.min(end, at + JUDGED_CHARS_MAX)), one.entropy);
    widest = { start: at, end, id: isToken ? one.id : '' };
  }
  return widest;
}
