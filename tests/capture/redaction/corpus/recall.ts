import { compileRedaction, redactText } from '../../../../src/capture/redaction/index.ts';
import { marker } from '../../../../src/capture/redaction/rule.ts';
import { chars, pick, type Random, seeded } from '../samples.ts';
import { ASSIGNMENTS, CONTEXTS, type Context, NEEDS_QUOTES, PLAIN } from './contexts.ts';
import { type Kind, secretPart } from './generate.ts';

/** Samples of each kind in plain text; a few of them in each of the contexts. */
export const SAMPLES_PER_KIND = 50;

export interface Recall {
  found: number;
  /** Of those, the ones that were named by the rule they are made for. */
  named: number;
  of: number;
}

export const { options } = compileRedaction();

/** A kind's line of text: its token alone, or behind a label that tells whose it is. */
function plainText(kind: Kind, token: string, random: Random): string {
  if (kind.label === undefined) return token;
  const ends = ['api_key', 'secret_key', 'auth_token', 'client_secret'];
  return `${kind.label}_${ends[random(ends.length)]} = "${token}"`;
}

/** How many of a kind's samples are gone from the text in which they stood. */
export function recallOf(kind: Kind, context: Context, samples = SAMPLES_PER_KIND): Recall {
  const random = seeded(20_261_121);
  const recall = { found: 0, named: 0, of: samples };
  for (let index = 0; index < samples; index += 1) {
    const token = kind.make(random);
    const text = plainText(kind, token, random);
    const wrapped = context.wrap(text, secretPart(kind, token), random);
    const redacted = redactText(wrapped.text, options).text;
    if (redacted.includes(wrapped.shown)) continue;
    recall.found += 1;
    if (redacted.includes(marker(kind.id))) recall.named += 1;
  }
  return recall;
}

/** In which contexts a kind of secret is looked for. */
export function contextsOf(kind: Kind): readonly Context[] {
  if (kind.label !== undefined) return CONTEXTS;
  const fits = !NEEDS_QUOTES.test(kind.make(seeded(1)));
  return fits && kind.id !== 'TELEGRAM-TOKEN' ? [...CONTEXTS, ...ASSIGNMENTS] : CONTEXTS;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS = LOWER + LOWER.toUpperCase();
const DIGITS = '0123456789';
const WORDS =
  'correct horse battery staple orange river candle window marble tiger silver forest pencil rocket garden thunder'.split(
    ' ',
  );

const wordAndDigits = (random: Random): string =>
  chars(random, LOWER, 5 + random(5)) +
  chars(random, '23456789', 1 + random(3)) +
  ['', '!', '_', '%'][random(4)];

/** As people choose passwords, and as generators make them: with and without digits, signs and capitals. */
const PASSWORDS: readonly ((random: Random) => string)[] = [
  wordAndDigits,
  (random) => chars(random, LETTERS, 8 + random(25)),
  (random) => chars(random, LETTERS + DIGITS, 8 + random(25)),
  (random) => chars(random, LOWER + DIGITS, 8 + random(25)),
  (random) => chars(random, LOWER, 12 + random(21)),
  (random) =>
    `${chars(random, LETTERS, 1)}${chars(random, `${LETTERS}${DIGITS}!_*~.-`, 11 + random(9))}`,
  (random) => Array.from({ length: 4 + random(2) }, () => pick(random, WORDS)).join('-'),
];

/** How many passwords of each kind are gone from where a context has them. */
export function passwordRecall(context: Context, samples = 2 * SAMPLES_PER_KIND): Recall {
  const random = seeded(7);
  const recall = { found: 0, named: 0, of: samples };
  for (let index = 0; index < samples; index += 1) {
    const secret = PASSWORDS[index % PASSWORDS.length]!(random);
    if (isGone(context.wrap(secret, secret, random))) recall.found += 1;
  }
  return recall;
}

/** Whether nothing of the text shows the secret when it is redacted. */
export const isGone = ({ text, shown }: ReturnType<Context['wrap']>): boolean =>
  !redactText(text, options).text.includes(shown);

export { PLAIN };
