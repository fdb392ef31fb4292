import { isRequest, userSentencesOf } from '../projections/clauses.ts';
import { VERBS } from '../projections/folds/rule-words.ts';
import { AGREES, ASKS, specifics } from '../projections/sentence-patterns.ts';

/** What people say in short, in answer to what the agent has just said or done, is mostly there to put it right. */
const SHORT_CHARS = 160;
const WORDS_MIN = 4;
const GOES_ON =
  /^(?:(?:ok(?:ay)?|yes|good|and|now|please|then)[,.]? )*(?:go on|go ahead|continue|proceed|carry on|keep going|weiter)\b/i;
/** What such words are worth at least, whatever language they are in. */
export const STATED_WEIGHT = 0.3;

/** Whether a prompt is short: what it states is told by its place, not by its words. The first says what it is all about. */
export const isShort = (prompt: string): boolean => prompt.trim().length <= SHORT_CHARS;

/** A word or two that name nothing: `LISTEN`, `Right.` Of other alphabets nobody says here how much a word is. */
export const saysNothing = (sentence: string): boolean =>
  sentence.trim().split(/\s+/).length < WORDS_MIN - 1 &&
  /^[\x20-\x7e]*$/.test(sentence) &&
  (/^[A-Z\s.,:!-]+$/.test(sentence) || specifics(sentence) === 0);

/** Neither a question nor a task nor a mere yes. */
export function isStatement(sentence: string): boolean {
  const words = sentence.trim().split(/\s+/);
  const isWordless = words.length < WORDS_MIN && /^[\x20-\x7e]*$/.test(sentence);
  if (isWordless || GOES_ON.test(sentence) || ASKS.test(sentence) || /[?？]\s*$/.test(sentence))
    return false;
  const [, first = ''] = /^(?:(?:please|pls|now|then|and|also) )*([a-z]+)/i.exec(sentence) ?? [];
  return !isRequest(sentence) && !VERBS.has(first.toLowerCase()) && !AGREES.test(sentence);
}

/** What of a prompt is in none of the lines that are told of it. */
export const leftOf = (prompt: string, told: readonly string[]): string[] =>
  userSentencesOf(prompt).filter(
    (one) => !told.some((line) => line.includes(one) || one.includes(line)),
  );
