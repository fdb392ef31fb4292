import { compileOnce } from '../platform/machine-code.ts';
import { bare, isRequest, looseSentencesOf, userSentencesOf } from './clauses.ts';
import { isCorrection } from './folds/corrections.ts';
import { isRule } from './folds/rules.ts';
import { withReasons } from './reasons.ts';
import {
  AGREES,
  APPENDS,
  ASKS,
  COMMANDS_ALL,
  CONCEDES,
  CONCERNS,
  contrasts,
  DECIDES,
  DEFINES,
  DIRECTS,
  EXPLAINS,
  FINDS,
  FOR_ONCE,
  GUESSES,
  INTENDS,
  LABELLED,
  LASTS,
  LOGGED,
  MEASURE,
  MEASURES,
  NEGATES,
  namesPath,
  OBLIGES,
  OF_AGENTS,
  PLACES,
  SETTLES,
  STEPS,
  STRESSES,
  specifics,
  tellsOfTrying,
} from './sentence-patterns.ts';

/** Who found or decided it: said by the user, printed as a figure, chosen when asked, refused, reported by a sub-agent, and so on. */
export type NoteKind =
  | 'said'
  | 'decision'
  | 'finding'
  | 'figure'
  | 'mended'
  | 'chosen'
  | 'refused'
  | 'reported';

export interface Noteworthy {
  kind: NoteKind;
  text: string;
  /** 0 to 100: how likely it is needed again; see the README of `recall/`. */
  weight: number;
  /** Of `mended`: the event of the failure. */
  failed?: number;
}

const NOTE_CHARS = 260;
/** A long report must not crowd out the others. */
const NOTES_PER_TEXT = 12;

/** Lines of a prompt that are worth keeping, besides its rules. */
export function saidIn(text: string, isAnswered: boolean): Noteworthy[] {
  // Rules and corrections are kept elsewhere.
  const isKnown = (one: string) => isRule(one) || (isAnswered && isCorrection(one));
  const all = userSentencesOf(text).map((one) => (isKnown(plain(one)) ? '' : plain(one)));
  return best(
    withReasons(all, [DECIDES, DIRECTS]).map((sentence) => {
      return { kind: 'said', text: sentence, weight: weightOfSaid(sentence) };
    }),
  );
}

/** A yes with more words says more. */
const AGREED_WORDS = 11;

/** Statements outweigh questions and requests, which are over once done: they oblige, last, exclude, or speak of the team. */
function weightOfSaid(sentence: string): number {
  if (LOGGED.test(sentence)) return 0;
  const named = specifics(sentence);
  const words = sentence.split(/\s+/).length;
  let weight = 12;
  const obliges = OBLIGES.test(sentence);
  const lasts = LASTS.test(sentence);
  const excludes = NEGATES.test(sentence);
  const concerns = CONCERNS.test(sentence);
  const isRequested = ASKS.test(sentence) || isRequest(sentence);
  if (obliges) weight += 30;
  if (lasts) weight += 18;
  if (excludes) weight += 16;
  if (concerns) weight += 14;
  // One alone is too common.
  const signs = [obliges, lasts, excludes, concerns].filter(Boolean).length;
  if (signs > 1 && !isRequested) weight += 10;
  if (COMMANDS_ALL.test(sentence)) weight += 10;
  if (STRESSES.test(sentence)) weight += 8;
  if (DECIDES.test(sentence)) weight += 10;
  if (EXPLAINS.test(sentence)) weight += 20;
  else if (APPENDS.test(sentence)) weight += named > 0 ? 16 : 8;
  if (DIRECTS.test(sentence)) weight += 12;
  if (FINDS.test(sentence)) weight += 8;
  weight += named === 0 ? 0 : named === 1 ? 24 : 36;
  if (namesPath(sentence)) weight += 46;
  if (contrasts(sentence)) weight += 18;
  else if (DEFINES.test(sentence)) weight += 12;
  if (MEASURE.test(sentence)) weight += 30;
  if (/`[^`]+ [^`]+`/.test(sentence)) weight += 16;
  if (ASKS.test(sentence)) weight -= 20;
  else if (isRequested && !lasts && !obliges) weight -= 14;
  if (AGREES.test(sentence) && !EXPLAINS.test(sentence) && words < AGREED_WORDS) weight -= 24;
  if (FOR_ONCE.test(sentence)) weight -= 50;
  if (words < 4) weight -= 14;
  return weight;
}

/** Decisions with reasons, findings and figures in the agent's words. */
export function statedIn(text: string): Noteworthy[] {
  compileOnce(OF_AGENTS);
  const all = withReasons(
    looseSentencesOf(text).map((one) => bare(plain(one))),
    [DECIDES, SETTLES],
  );
  return best(
    all.map((sentence) => {
      const guesses = isGuess(sentence);
      const decides = !guesses && DECIDES.test(sentence);
      const isDecision = decides || (EXPLAINS.test(sentence) && !FINDS.test(sentence));
      return {
        kind: isDecision ? 'decision' : 'finding',
        text: sentence,
        weight: weightOfStated(sentence, decides, guesses),
      };
    }),
  );
}

/** Starts of commit subjects and list entries that decide: `fix: use gzip for exports`. */
const CHANGES =
  /^(?:[\w ()/-]+: )?(?:use|adopt|switch|replace|move|migrate|go|keep|drop|prefer|remove|return|revert|stay|store|do|make|build)\b/i;
/** Writing something down takes a second thought. */
const WRITTEN_WEIGHT = 16;

/** A written line that says what was chosen and why. @param isRecord a decision record, whatever it looks like */
export function reasonedIn(line: string, isRecord = false): Noteworthy[] {
  const text = plain(line).trim();
  const isReasoned = EXPLAINS.test(text) || APPENDS.test(text);
  if (text === '' || (!isRecord && !(isReasoned && (DECIDES.test(text) || CHANGES.test(text)))))
    return [];
  return best([
    { kind: 'decision', text, weight: weightOfStated(text, true, false) + WRITTEN_WEIGHT },
  ]);
}

/** Names alone make no sentence worth keeping. */
function weightOfStated(sentence: string, decides: boolean, guesses: boolean): number {
  const named = specifics(sentence);
  let weight = 0;
  if (decides) weight += 24;
  const settles = SETTLES.test(sentence);
  const explains = EXPLAINS.test(sentence);
  if (settles) weight += 8;
  if (NEGATES.test(sentence)) weight += 6;
  if (explains) weight += 30;
  // Done, with a reason: somebody chose.
  if (explains && (settles || decides)) weight += 12;
  const appends = !explains && APPENDS.test(sentence);
  if (appends) weight += named > 0 && (settles || decides) ? 30 : 10;
  if (FINDS.test(sentence)) weight += 18;
  if (tellsOfTrying(sentence)) weight += 34;
  if (STRESSES.test(sentence)) weight += 6;
  if (isMeasured(sentence)) weight += MEASURES.test(sentence) ? 54 : 34;
  if (LABELLED.test(sentence)) weight += 12;
  weight += named === 0 ? 0 : named === 1 ? 15 : 18;
  if (namesPath(sentence)) weight += PLACES.test(sentence) ? 60 : 52;
  if (guesses) weight -= 30;
  if (INTENDS.test(sentence)) weight -= 16;
  else if (STEPS.test(sentence)) weight -= 10;
  if (ASKS.test(sentence)) weight -= 24;
  if (sentence.split(/\s+/).length < 4) weight -= 16;
  return weight;
}

/** Without the reason, which may be a guess. */
const claimOf = (sentence: string): string =>
  sentence.replace(/(?<=^.{15,})(?:[;:(]|\b(?:because|since|as)\b).*$/s, '');

/** In `one thing: it may take 3 s` the figure is a guess. */
const isMeasured = (sentence: string): boolean =>
  MEASURE.test(sentence) &&
  sentence.split(CLAUSE_ENDS).some((part) => MEASURE.test(part) && !GUESSES.test(part));

const CLAUSE_ENDS = /[,;:(]\s|\b(?:because|since|as|but)\b/;

const isGuess = (sentence: string): boolean =>
  GUESSES.test(claimOf(sentence)) && !CONCEDES.test(sentence);

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
