import { compileOnce } from '../../platform/machine-code.ts';
import { headOf } from '../bounds.ts';
import { bare, looseSentencesOf } from '../clauses.ts';
import type { Fact } from '../contract.ts';
import type { Noteworthy } from '../noteworthy.ts';
import { looksAround } from '../outcome/command.ts';
import { Passes } from '../outcome/passes.ts';
import { referencesIn } from '../references.ts';
import {
  ASKS,
  DECIDES,
  EXPLAINS,
  FINDS,
  GUESSES,
  INTENDS,
  OF_AGENTS,
  STEPS,
  sharesTopic,
  specifics,
} from '../sentence-patterns.ts';
import { type Note, withNotes } from './evidence-notes.ts';
import type { OutcomeRecord } from './evidence-outcomes.ts';

/** A command that passed after it had failed: the agent may say next what the cause was. */
export interface Mended {
  text: string;
  /** The failing line and the command. */
  failure: string;
  /** The event of the failure; older states lack it. */
  failed?: number;
  tick: number;
}

export interface Suspicion {
  text: string;
  tick: number;
}

export interface Edit {
  file: string;
  tick: number;
}

/** The parts of a session's evidence that this file uses. */
interface MendingState {
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
/** The cause is named within this many steps. */
const SAID_WITHIN = 2;
const MENDED_WEIGHT = 100;
const UNEXPLAINED_WEIGHT = 60;
/** What failed once and passed unchanged is mostly over. */
const PASSED_BY_ITSELF_WEIGHT = 30;

const SOLVES =
  /\b(?:fix(?:ed|es)?|solv(?:ed|es)|resolv(?:ed|es)|mend(?:ed|s)|cured?|repaired|cause[ds]?|culprit|because|was|were|had|missing|stale|wrong|gone|(?:go|goes|going|went|gone) away|made|no longer|works? (?:now|again)|pass(?:es)? (?:now|again)|the (?:fix|trick|problem|bug))\b/i;

/** Names a cause or a cure by itself. */
const CURES =
  /\b(?:fix(?:ed|es)|solv(?:ed|es)|resolv(?:ed|es)|mend(?:ed|s)|cured?|repaired|caused|culprit|(?:root |the )cause|the (?:fix|trick|problem|bug|issue|culprit|reason)|(?:had )?forgot(?:ten)?|helped|(?:go|goes|going|went|gone) (?:away|through)|turn(?:s|ed) out|needed)\b|^it was\b/i;
/** Words that any failure and any sentence about one may share. */
const COMMON =
  /^(?:not|the|and|for|with|was|were|are|has|had|have|its?|tests?|checks?|build|run(?:ning|s)?|errors?|exception|fail(?:s|ed|ing|ures?)?|pass(?:es|ed|ing)?|expected|unexpected|received|line|files?|module|named?|found|cannot|does|exist|undefined|null|none|true|false|value|type|function|object|call(?:ed|s)?|missing|invalid|unknown|when|while|this|that|from|into|reading|opening)$/;
/** Plain words count in pairs: one alone may be chance. */
const WORDS_SHARED = 2;
const OFTEN = [SOLVES, CURES, COMMON];

/**
 * @param before the failure that it mends
 * @param edits of files, newest last
 * @param suspected the newest possible cause that the agent named
 * @returns undefined when it mends none
 */
function mendedBy(
  before: OutcomeRecord | undefined,
  { edits, suspected, tick }: { edits: readonly Edit[]; suspected: Suspicion | null; tick: number },
): { note: Noteworthy; mended: Mended } | undefined {
  if (before === undefined || before.line === '') return undefined;
  if (looksAround(before.about)) return undefined;
  const failure = `${headOf(before.line, LINE_CHARS)} (\`${headOf(before.about, COMMAND_CHARS)}\`)`;
  const failed = before.seq;
  const changed = edits.filter((one) => one.tick > before.tick).map(({ file }) => file);
  const files = [...new Set(changed)].slice(-FILES_MAX);
  const how = files.length === 0 ? 'passed later' : `passed after changes to ${files.join(', ')}`;
  const isSuspected =
    suspected !== null && suspected.tick > before.tick && isAbout(suspected.text, before.line);
  if (isSuspected && files.length > 0) {
    const text = `${failure} → ${suspected.text}`;
    return {
      note: { kind: 'mended', text, weight: MENDED_WEIGHT, failed },
      mended: { text, failure, failed, tick },
    };
  }
  const text = `${failure}: ${how}`;
  const weight = files.length === 0 ? PASSED_BY_ITSELF_WEIGHT : UNEXPLAINED_WEIGHT;
  const note: Noteworthy = { kind: 'mended', text, weight, failed };
  return { note, mended: { text, failure, failed, tick } };
}

/** With the cause that the agent named; undefined when it named none. */
function withCause(mended: Mended, said: string, tick: number): Noteworthy | undefined {
  if (tick > mended.tick + SAID_WITHIN) return undefined;
  const cause = causeIn(said, mended.failure.replace(/ \(`[^`]*`\)$/, ''));
  if (cause === undefined) return undefined;
  const { failure, failed } = mended;
  const text = `${failure} → ${cause}`;
  return { kind: 'mended', text, weight: MENDED_WEIGHT, ...(failed !== undefined && { failed }) };
}

/** The sentence most likely to name the cause. @param line the failing line; without it, of any failure */
function causeIn(said: string, line?: string): string | undefined {
  compileOnce(OFTEN);
  compileOnce(OF_AGENTS);
  const sentences = looseSentencesOf(said).map((one) => bare(one.replace(/\s+/g, ' ')));
  const told = sentences
    .filter((one) => !INTENDS.test(one) && !ASKS.test(one) && !STEPS.test(one))
    .filter((one) => line === undefined || isAbout(one, line))
    .map((one) => ({ one, weight: solves(one) + (line !== undefined && names(one, line) ? 2 : 0) }))
    .sort((a, b) => b.weight - a.weight)[0];
  return told === undefined || told.weight < 2 ? undefined : headOf(told.one, SAID_CHARS);
}

/** Whether a sentence is about a failure: it names a cause or cure, or something from the failing line. */
const isAbout = (sentence: string, line: string): boolean =>
  CURES.test(sentence) || (!DECIDES.test(sentence) && names(sentence, line));

/** Whether both name the same thing: a name, path or number, or two rare words. */
function names(sentence: string, line: string): boolean {
  const own = referencesIn(line);
  for (const name of referencesIn(sentence).keys()) if (own.has(name)) return true;
  if (sharesTopic(line, sentence)) return true;
  const words = new Set(wordsOf(line));
  return wordsOf(sentence).filter((word) => words.delete(word)).length >= WORDS_SHARED;
}

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]{3,}/g) ?? [])
    .filter((word) => !COMMON.test(word))
    .map((word) => word.replace(/s$/, ''));

const solves = (sentence: string): number =>
  Math.min(3, specifics(sentence)) +
  (SOLVES.test(sentence) ? 1 : 0) +
  (FINDS.test(sentence) || EXPLAINS.test(sentence) ? 1 : 0) -
  (GUESSES.test(sentence) ? 2 : 0);

/** Notes what the agent says of a mended failure, or suspects as a cause. */
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

/** Call it when a command passed, before its outcome is recorded. */
export function noteMended(state: MendingState, about: string, fact: Fact): void {
  const { edits, suspected, tick } = state;
  const passes = new Passes();
  passes.add(about, fact.seq, null);
  const before = Object.values(state.outcomes).findLast(
    (one) => one.name === 'Bash' && one.hasFailed && passes.hasSince(one.about, one.seq, null),
  );
  const found = mendedBy(before, { edits, suspected, tick });
  if (found === undefined) return;
  const { failure } = found.mended;
  state.notes = state.notes.filter(({ text }) => !text.startsWith(failure));
  state.notes = withNotes(state.notes, [found.note], fact, tick);
  state.mended = found.mended;
}
