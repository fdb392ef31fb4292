import { isRequest } from '../clauses.ts';
import { isCorrection } from './corrections.ts';
import { isRule } from './rules.ts';

/** `Wrong guess.`, `ne, kein regex.`: that something is wrong, and not what. */
const OUTCRY_WORDS = 4;
const CORRECTED_CHARS = 300;

/** A user's sentences, an outcry together with what is said behind it: that is what is right. */
export function withOutcries(sentences: readonly string[]): string[] {
  const found: string[] = [];
  for (const sentence of sentences) {
    const before = found.at(-1);
    if (before !== undefined && isOutcry(before) && goesOn(before, sentence))
      found[found.length - 1] = `${before}${/[。！？]$/.test(before) ? '' : ' '}${sentence}`;
    else found.push(sentence);
  }
  return found;
}

const isOutcry = (sentence: string): boolean =>
  isCorrection(sentence) && sentence.split(/\s+/, OUTCRY_WORDS + 1).length <= OUTCRY_WORDS;

const goesOn = (before: string, sentence: string): boolean =>
  before.length + sentence.length < CORRECTED_CHARS &&
  !/[?？]\s*$/.test(sentence) &&
  !isRule(sentence) &&
  !isCorrection(sentence) &&
  !isRequest(sentence);
