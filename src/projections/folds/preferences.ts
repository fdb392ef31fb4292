import type { PreferenceRetracted } from '../../events/types.ts';
import { headOf } from '../bounds.ts';
import { userSentencesOf } from '../clauses.ts';
import type { Fact } from '../contract.ts';
import { isAboutTool, isCorrection } from './corrections.ts';
import { withOutcries } from './outcries.ts';
import { isRevocation } from './revocations.ts';
import { isRule } from './rules.ts';
import { forget, type Statement } from './statement-list.ts';
import { sentencesOf } from './statements.ts';

export type PreferenceKind = 'rule' | 'correction' | 'tool';

/** Something that the user asked for in general, or put right. */
export interface Preference extends Statement {
  /** Names it by the event that stated it first, and its place among what that event states: `12.1`. */
  key: string;
  /** The events that it was learnt from, the newest last. */
  seqs: number[];
  /** How often it was said. */
  count: number;
}

/** What a session's user keeps asking for, in the user's words; in each list the one said last stands last. */
export interface Preferences {
  /** What the user commanded or forbade in general. */
  rules: Preference[];
  /** Which tools to use, or not to. */
  tools: Preference[];
  /** What the user took back or put right. */
  corrections: Preference[];
}

export const LIST_OF: Readonly<Record<PreferenceKind, keyof Preferences>> = {
  rule: 'rules',
  tool: 'tools',
  correction: 'corrections',
};
const SEQS_MAX = 5;
export const REFUSAL_CHARS = 300;

export const noPreferences = (): Preferences => ({ rules: [], tools: [], corrections: [] });

/** What statements are compared by: capitals, spaces and the last sign do not count. */
export const statementWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!]+$/, '');

/**
 * Learns from what the user typed.
 * @param isAnswered whether the agent had done or said something before: else there is nothing to put right
 */
export function learn(
  preferences: Preferences,
  text: string,
  fact: Fact,
  isAnswered: boolean,
): void {
  const sentences = userSentencesOf(text);
  for (const sentence of isAnswered ? withOutcries(sentences) : sentences) {
    const kind = kindOf(sentence, isAnswered);
    if (kind !== undefined) note(preferences, kind, sentence, fact);
  }
}

/** Of what the user said when they refused a call: a rule, or what puts right what was about to be done. */
export function learnRefusal(preferences: Preferences, words: string, fact: Fact): void {
  if (userSentencesOf(words).some((one) => kindOf(one, true) !== undefined))
    learn(preferences, words, fact, true);
  else {
    note(preferences, 'correction', refusalIn(words), fact);
  }
}

/** The words of a refusal that are kept where they state nothing in general. */
export const refusalIn = (words: string): string =>
  headOf(words.replace(/\s+/g, ' ').trim(), REFUSAL_CHARS);

function kindOf(sentence: string, isAnswered: boolean): PreferenceKind | undefined {
  if (isRevocation(sentence)) return 'rule';
  if (isRule(sentence)) return isAboutTool(sentence) ? 'tool' : 'rule';
  return isAnswered && isCorrection(sentence) ? 'correction' : undefined;
}

/** The words of all that a text could state. */
export const statementsIn = (text: string): Set<string> =>
  new Set(
    [...sentencesOf(text), ...userSentencesOf(text), ...withOutcries(userSentencesOf(text))].map(
      statementWords,
    ),
  );

/** What is said again moves to the end, in its newest words. */
function note(preferences: Preferences, kind: PreferenceKind, text: string, fact: Fact): void {
  const { seq, at, trace } = fact;
  const list = preferences[LIST_OF[kind]];
  const words = statementWords(text);
  const index = list.findIndex((one) => statementWords(one.text) === words);
  const [before] = index === -1 ? [] : list.splice(index, 1);
  const key = before?.key ?? newKey(preferences, seq);
  const seqs = [...(before?.seqs ?? []), seq].slice(-SEQS_MAX);
  const pos = before === undefined ? (trace?.pos ?? null) : before.pos;
  list.push({ text, seq, at, pos, key, seqs, count: (before?.count ?? 0) + 1 });
}

function newKey(preferences: Preferences, seq: number): string {
  const own = allPreferences(preferences).filter(({ key }) => key.startsWith(`${seq}.`));
  return `${seq}.${own.length + 1}`;
}

/** Without what was said on an abandoned branch alone; see `forget`. */
export const forgetPreferences = (preferences: Preferences, rewoundTo: number): Preferences =>
  mapped(preferences, (list) => forget(list, rewoundTo));

/** Without what was taken back, until it is said again. Retractions of earlier versions have no text. */
export function withoutPreference(
  preferences: Preferences,
  { key, text }: PreferenceRetracted,
): Preferences {
  const words = text === undefined ? undefined : statementWords(text);
  const isMeant = (one: Preference) =>
    words === undefined ? one.key === key : statementWords(one.text) === words;
  return mapped(preferences, (list) => list.filter((one) => !isMeant(one)));
}

const mapped = (
  { rules, tools, corrections }: Preferences,
  change: (list: Preference[]) => Preference[],
): Preferences => ({
  rules: change(rules),
  tools: change(tools),
  corrections: change(corrections),
});

/** All of them with their kind: rules, then tools, then corrections. */
export const allPreferences = (
  preferences: Preferences,
): (Preference & { kind: PreferenceKind })[] =>
  (['rule', 'tool', 'correction'] as const).flatMap((kind) =>
    preferences[LIST_OF[kind]].map((one) => ({ ...one, kind })),
  );
