import { joinedWhere } from './bounds.ts';
import { isRequest } from './clauses.ts';
import {
  AGREES,
  ASKS,
  COMMANDS_ALL,
  CONCLUDES,
  contrasts,
  DECIDES,
  EXPLAINS,
  GUESSES,
  INTENDS,
  IS_REASON,
  LOGGED,
  MEASURE,
  namesPath,
  REFERS_BACK,
  sharesTopic,
  specifics,
} from './sentence-patterns.ts';

/** Together they are one line. */
const REASONED_CHARS = 240;

/** Joins a sentence to the reason behind it. @param choices patterns of what a reason is given for */
export const withReasons = (sentences: readonly string[], choices: readonly RegExp[]): string[] =>
  joinedWhere(sentences, (before, sentence) =>
    isReasonOf(before, sentence, choices) ? `${before} ${sentence}`.trim() : undefined,
  );

/** Whether a sentence gives the reason of a choice before it, which gives none itself: it says so, or names what it is about. */
function isReasonOf(before: string, sentence: string, choices: readonly RegExp[]): boolean {
  if (before === '' || before.length + sentence.length > REASONED_CHARS) return false;
  if (isFragment(sentence)) return specifics(before) > 0 && !isRequest(before);
  const isShared = sharesTopic(before, sentence);
  const concludes = CONCLUDES.test(sentence);
  const refersBack = !concludes && REFERS_BACK.test(sentence);
  const isChosen = () => choices.some((sign) => sign.test(before));
  if (!(isShared || concludes || refersBack || STATES_REASON.test(sentence) || isChosen()))
    return false;
  if (EXPLAINS.test(before)) return false;
  if (STATES_REASON.test(sentence)) return true;
  if (isRequest(before) || ASKS.test(before) || LOGGED.test(before)) return false;
  if (concludes) return specifics(before) > 0;
  if (refersBack && EXPLAINS.test(sentence)) return true;
  if (namesPath(before) || contrasts(before)) return false;
  if (isShared && isAnyChoice(before, sentence) && !ASKS.test(sentence) && !isRequest(sentence))
    return true;
  if (MEASURE.test(before) || isNoStatement(before) || isNoStatement(sentence)) return false;
  if (isShared) return true;
  return (
    isChosen() && (IS_REASON.test(sentence) || (specifics(sentence) > 0 && !namesPath(sentence)))
  );
}

const STATES_REASON = /^(?:reasons?\b|why[:?])/i;
const isAnyChoice = (...sentences: string[]): boolean =>
  sentences.some((one) => DECIDES.test(one) || AGREES.test(one));

const FRAGMENT_CHARS = 50;
const FRAGMENT_WORDS = 5;
/** What settles it in a word or two: `A feature flag, then.` */
const isFragment = (sentence: string): boolean =>
  sentence.length <= FRAGMENT_CHARS &&
  /\b(?:instead|then|it is|wins|rather)[.!]*$/i.test(sentence) &&
  sentence.split(' ', FRAGMENT_WORDS + 2).length <= FRAGMENT_WORDS;

const isNoStatement = (sentence: string): boolean =>
  LOGGED.test(sentence) ||
  INTENDS.test(sentence) ||
  ASKS.test(sentence) ||
  GUESSES.test(sentence) ||
  (COMMANDS_ALL.test(sentence) && !EXPLAINS.test(sentence)) ||
  isRequest(sentence);
