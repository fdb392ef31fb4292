import { bare, looseSentencesOf, userSentencesOf } from './clauses.ts';
import { isCorrection } from './folds/corrections.ts';
import { isRule } from './folds/rules.ts';
import {
  AGREES,
  ASKS,
  COMMANDS_ALL,
  contrasts,
  DECIDES,
  DEFINES,
  EXPLAINS,
  FINDS,
  FOR_ONCE,
  GUESSES,
  INTENDS,
  IS_REASON,
  LABELLED,
  LOGGED,
  MEASURE,
  MEASURES,
  namesPath,
  OBLIGES,
  PLACES,
  STRESSES,
  specifics,
} from './sentence-signs.ts';

/**
 * What a sentence is good for: said by the user, decided or found out by the agent, a figure that a tool printed, or an
 * error with what mended it.
 */
export type NoteKind = 'said' | 'decision' | 'finding' | 'figure' | 'mended';

export interface Noteworthy {
  kind: NoteKind;
  text: string;
  /** 0 to 100: how likely somebody wants it again; see the README of `recall/`. */
  weight: number;
}

const NOTE_CHARS = 260;
/** Of one text: a long report must not crowd out the others. */
const NOTES_PER_TEXT = 12;

/** What of a user's prompt is worth a line, besides the rules in it. */
export function saidIn(text: string, isAnswered: boolean): Noteworthy[] {
  const all = userSentencesOf(text).map(plain);
  return best(
    all.map((sentence) => {
      const isKnown = isRule(sentence) || (isAnswered && isCorrection(sentence));
      return { kind: 'said', text: sentence, weight: isKnown ? 0 : weightOfSaid(sentence) };
    }),
  );
}

function weightOfSaid(sentence: string): number {
  if (LOGGED.test(sentence)) return 0;
  let weight = 18;
  const commands = COMMANDS_ALL.test(sentence);
  if (OBLIGES.test(sentence) || commands) weight += commands ? 48 : 26;
  if (STRESSES.test(sentence)) weight += 24;
  weight += Math.min(24, specifics(sentence) * 9);
  if (namesPath(sentence)) weight += PLACES.test(sentence) ? 46 : 34;
  if (contrasts(sentence)) weight += 36;
  else if (DEFINES.test(sentence)) weight += 30;
  if (MEASURE.test(sentence)) weight += MEASURES.test(sentence) ? 44 : 16;
  else if (LABELLED.test(sentence)) weight += 10;
  if (DECIDES.test(sentence)) weight += EXPLAINS.test(sentence) ? 40 : 24;
  if (ASKS.test(sentence)) weight -= 14;
  if (AGREES.test(sentence)) weight -= 40;
  if (FOR_ONCE.test(sentence)) weight -= 50;
  if (sentence.split(/\s+/).length < 4) weight -= 18;
  // Talk: what it would be about has no name.
  const isAbout = specifics(sentence) > 0 || MEASURE.test(sentence) || DECIDES.test(sentence);
  if (!isAbout && !commands) weight -= 24;
  return weight;
}

/** What of the agent's words is worth a line: what it decided and why, what it found out, what it measured. */
export function statedIn(text: string): Noteworthy[] {
  const all = looseSentencesOf(text).map((one) => bare(plain(one)));
  return best(
    all.map((sentence, index) => {
      const before = all[index - 1];
      if (before !== undefined && isReasonOf(before, sentence))
        return { kind: 'decision', text: sentence, weight: 0 };
      const next = all[index + 1];
      // Its reason may follow.
      const whole =
        next !== undefined && isReasonOf(sentence, next) ? `${sentence} ${next}` : sentence;
      const decides = DECIDES.test(whole) && !GUESSES.test(sentence);
      const isDecision = decides || (EXPLAINS.test(whole) && !FINDS.test(whole));
      return {
        kind: isDecision ? 'decision' : 'finding',
        text: whole,
        weight: weightOfStated(whole, decides),
      };
    }),
  );
}

function weightOfStated(sentence: string, decides: boolean): number {
  const finds = FINDS.test(sentence);
  let weight = 6;
  if (decides) weight += 44;
  if (finds) weight += 30;
  if (STRESSES.test(sentence)) weight += 14;
  if (EXPLAINS.test(sentence)) weight += 24;
  if (MEASURE.test(sentence)) weight += MEASURES.test(sentence) ? 72 : 20;
  else if (LABELLED.test(sentence)) weight += 10;
  weight += Math.min(15, specifics(sentence) * 5);
  if (namesPath(sentence)) weight += PLACES.test(sentence) ? 72 : 40;
  if (GUESSES.test(sentence)) weight -= 36;
  if (INTENDS.test(sentence)) weight -= 30;
  if (ASKS.test(sentence)) weight -= 30;
  return weight;
}

/** Whether a sentence gives the reason of the one before it, which gives none itself. */
const isReasonOf = (before: string, sentence: string): boolean =>
  IS_REASON.test(sentence) &&
  (/^(?:reasons?|why)\b/i.test(sentence) || DECIDES.test(before)) &&
  !EXPLAINS.test(before);

const plain = (sentence: string): string => sentence.replace(/\s+/g, ' ').replace(/\*\*|__/g, '');

function best(notes: Noteworthy[]): Noteworthy[] {
  return notes
    .filter(({ weight }) => weight >= 20)
    .map((note) => ({
      ...note,
      text: note.text.length <= NOTE_CHARS ? note.text : `${note.text.slice(0, NOTE_CHARS)}…`,
      weight: Math.min(100, note.weight),
    }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, NOTES_PER_TEXT);
}
