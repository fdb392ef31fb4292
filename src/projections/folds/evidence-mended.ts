import { headOf } from '../bounds.ts';
import { bare, looseSentencesOf } from '../clauses.ts';
import type { Fact } from '../contract.ts';
import type { Noteworthy } from '../noteworthy.ts';
import { ASKS, EXPLAINS, FINDS, GUESSES, INTENDS, STEPS, specifics } from '../sentence-signs.ts';
import { type Note, withNotes } from './evidence-notes.ts';
import { looksAround, type OutcomeRecord } from './evidence-outcomes.ts';

/** A command that had failed and passed: what the agent says next may be what it was. */
export interface Mended {
  /** As it is noted so far. */
  text: string;
  /** The command with why it had failed. */
  failure: string;
  tick: number;
}

/** What the agent said that could be why something fails. */
export interface Suspicion {
  text: string;
  tick: number;
}

export interface Edit {
  file: string;
  tick: number;
}

/** What of a session's evidence it is known from. */
export interface MendingState {
  tick: number;
  notes: Note[];
  outcomes: Record<string, OutcomeRecord>;
  edits: Edit[];
  mended: Mended | null;
  suspected: Suspicion | null;
}

const COMMAND_CHARS = 48;
const LINE_CHARS = 140;
const SAID_CHARS = 200;
const FILES_MAX = 3;
/** Steps in which it is said what it was. */
const SAID_WITHIN = 2;
const MENDED_WEIGHT = 100;
/** Where nobody said what it was. */
const UNEXPLAINED_WEIGHT = 60;
/** What failed once and passed by itself is mostly over. */
const PASSED_BY_ITSELF_WEIGHT = 30;

const SOLVES =
  /\b(?:fix(?:ed|es)?|solv(?:ed|es)|resolv(?:ed|es)|mend(?:ed|s)|cured?|repaired|cause[ds]?|culprit|because|was|were|had|missing|stale|wrong|gone|(?:go|goes|going|went|gone) away|made|no longer|works? (?:now|again)|pass(?:es)? (?:now|again)|the (?:fix|trick|problem|bug))\b/i;

/** The same command with another way of showing its output. */
const gistOf = (command: string): string =>
  command
    .replace(/^cd \S+ && /, '')
    .replace(/(?:\s*(?:[12&]?>&?\s?[^\s|]+|\|\s*(?:head|tail|grep|cat|tee)\b[^|]*))+$/, '')
    .trim();

/**
 * @param before what became of the same command last
 * @param edits of files, the newest last
 * @param suspected the newest of the agent's words that could be the cause
 * @returns undefined when it had not failed
 */
function mendedBy(
  before: OutcomeRecord | undefined,
  { edits, suspected, tick }: { edits: readonly Edit[]; suspected: Suspicion | null; tick: number },
): { note: Noteworthy; mended: Mended } | undefined {
  if (before?.failed !== true || before.name !== 'Bash' || before.line === '') return undefined;
  if (looksAround(before.about)) return undefined;
  const failure = `${headOf(before.line, LINE_CHARS)} (\`${headOf(gistOf(before.about), COMMAND_CHARS)}\`)`;
  const changed = edits.filter((one) => one.tick > before.tick).map(({ file }) => file);
  const files = [...new Set(changed)].slice(-FILES_MAX);
  const how = files.length === 0 ? 'passed later' : `mended by changes to ${files.join(', ')}`;
  if (suspected !== null && files.length > 0 && suspected.tick > before.tick) {
    const text = `${failure} → ${suspected.text}`;
    return {
      note: { kind: 'mended', text, weight: MENDED_WEIGHT },
      mended: { text, failure, tick },
    };
  }
  const text = `${failure}: ${how}`;
  const weight = files.length === 0 ? PASSED_BY_ITSELF_WEIGHT : UNEXPLAINED_WEIGHT;
  return { note: { kind: 'mended', text, weight }, mended: { text, failure, tick } };
}

/** With what the agent said that it was; undefined where it says nothing of it. */
function withCause(mended: Mended, said: string, tick: number): Noteworthy | undefined {
  if (tick > mended.tick + SAID_WITHIN) return undefined;
  const cause = causeIn(said, mended.failure);
  if (cause === undefined) return undefined;
  return { kind: 'mended', text: `${mended.failure} → ${cause}`, weight: MENDED_WEIGHT };
}

/**
 * What of the agent's words is likely to be what was wrong.
 * @param failure a sentence that has words of it is likely to be about it
 */
function causeIn(said: string, failure = ''): string | undefined {
  const own = wordsOf(failure);
  const sentences = looseSentencesOf(said).map((one) => bare(one.replace(/\s+/g, ' ')));
  const told = sentences
    .filter((one) => !INTENDS.test(one) && !ASKS.test(one) && !STEPS.test(one))
    .map((one) => ({ one, weight: solves(one) + (sharesWord(own, one) ? 2 : 0) }))
    .sort((a, b) => b.weight - a.weight)[0];
  return told === undefined || told.weight < 2 ? undefined : headOf(told.one, SAID_CHARS);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
const sharesWord = (words: readonly string[], text: string): boolean =>
  words.length > 0 && wordsOf(text).some((word) => words.includes(word));

const solves = (sentence: string): number =>
  Math.min(3, specifics(sentence)) +
  (SOLVES.test(sentence) ? 1 : 0) +
  (FINDS.test(sentence) || EXPLAINS.test(sentence) ? 1 : 0) -
  (GUESSES.test(sentence) ? 2 : 0);

/** What the agent says may be what mended an error, or what it takes for the cause of one. */
export function explainMended(state: MendingState, said: string, fact: Fact): void {
  const { mended, tick } = state;
  const suspected = causeIn(said);
  if (suspected !== undefined) state.suspected = { text: suspected, tick };
  const cause = mended === null ? undefined : withCause(mended, said, tick);
  if (mended === null || cause === undefined) return;
  state.notes = state.notes.filter(({ text }) => text !== mended.text);
  state.notes = withNotes(state.notes, [cause], fact, tick);
  state.mended = null;
}

/** To be called for a command that passed, before its outcome is known. */
export function noteMended(state: MendingState, about: string, fact: Fact): void {
  const { edits, suspected, tick } = state;
  const gist = gistOf(about);
  const before = Object.values(state.outcomes).findLast(
    (one) => one.name === 'Bash' && gistOf(one.about) === gist,
  );
  const found = mendedBy(before, { edits, suspected, tick });
  if (found === undefined) return;
  const { failure } = found.mended;
  state.notes = state.notes.filter(({ text }) => !text.startsWith(failure));
  state.notes = withNotes(state.notes, [found.note], fact, tick);
  state.mended = found.mended;
}
