import { isRequest, userSentencesOf } from '../projections/clauses.ts';
import { VERBS } from '../projections/folds/rule-words.ts';
import { AGREES, ASKS, specifics } from '../projections/sentence-patterns.ts';

/** A short answer to the agent's work is mostly a correction. */
const SHORT_CHARS = 160;
const WORDS_MIN = 4;
const GOES_ON =
  /^(?:(?:ok(?:ay)?|yes|good|and|now|please|then)[,.]? )*(?:go on|go ahead|continue|proceed|carry on|keep going|weiter)\b/i;
/** Least weight of such words, in any language. */
export const STATED_WEIGHT = 0.3;

/** What a short prompt states is known by its place, not its words. */
export const isShort = (prompt: string): boolean => prompt.trim().length <= SHORT_CHARS;

/** One or two words without a name: `LISTEN`, `Right.` Only for ASCII text. */
export const saysNothing = (sentence: string): boolean =>
  sentence.trim().split(/\s+/).length < WORDS_MIN - 1 &&
  /^[\x20-\x7e]*$/.test(sentence) &&
  (/^[A-Z\s.,:!-]+$/.test(sentence) || specifics(sentence) === 0);

/** Neither a question, a task, nor a mere yes. */
export function isStatement(sentence: string): boolean {
  const words = sentence.trim().split(/\s+/);
  const isWordless = words.length < WORDS_MIN && /^[\x20-\x7e]*$/.test(sentence);
  if (isWordless || GOES_ON.test(sentence) || ASKS.test(sentence) || /[?？]\s*$/.test(sentence))
    return false;
  const [, first = ''] = /^(?:(?:please|pls|now|then|and|also) )*([a-z]+)/i.exec(sentence) ?? [];
  return !isRequest(sentence) && !VERBS.has(first.toLowerCase()) && !AGREES.test(sentence);
}

/** Sentences of a prompt that none of these lines has. */
export const leftOf = (prompt: string, told: readonly string[]): string[] =>
  userSentencesOf(prompt).filter(
    (one) => !told.some((line) => line.includes(one) || one.includes(line)),
  );
