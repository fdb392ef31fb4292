import type { PreferenceRetracted } from '../../events/types.ts';
import { headOf } from '../bounds.ts';
import { userSentencesOf } from '../clauses.ts';
import type { Fact } from '../contract.ts';
import { isAboutTool, isCorrection, withOutcries } from './corrections.ts';
import { isRevocation } from './revocations.ts';
import { isRule } from './rules.ts';
import { forget, type Statement, sentencesOf } from './statements.ts';

export type PreferenceKind = 'rule' | 'correction' | 'tool';

export interface Preference extends Statement {
  /** The event that stated it first, and its number within that event: `12.1`. */
  key: string;
  /** The events that stated it, newest last. */
  seqs: number[];
  count: number;
}

/** What a session's user keeps asking for, in their words; the last stated is last. */
export interface Preferences {
  /** General commands and prohibitions. */
  rules: Preference[];
  /** Which programs to use or not. */
  tools: Preference[];
  corrections: Preference[];
}

const LIST_OF: Readonly<Record<PreferenceKind, keyof Preferences>> = {
  rule: 'rules',
  tool: 'tools',
  correction: 'corrections',
};
const SEQS_MAX = 5;
export const REFUSAL_CHARS = 300;

export const noPreferences = (): Preferences => ({ rules: [], tools: [], corrections: [] });

/** Statements are compared without capitals, spaces and final punctuation. */
export const statementWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!]+$/, '');

/** Learns from a user's text. @param isAnswered whether the agent had said or done anything before that could be corrected */
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

/** Learns from the words of a refusal: rules, else a correction. */
export function learnRefusal(preferences: Preferences, words: string, fact: Fact): void {
  if (userSentencesOf(words).some((one) => kindOf(one, true) !== undefined))
    learn(preferences, words, fact, true);
  else
    note(preferences, 'correction', headOf(words.replace(/\s+/g, ' ').trim(), REFUSAL_CHARS), fact);
}

function kindOf(sentence: string, isAnswered: boolean): PreferenceKind | undefined {
  if (isRevocation(sentence)) return 'rule';
  if (isRule(sentence)) return isAboutTool(sentence) ? 'tool' : 'rule';
  return isAnswered && isCorrection(sentence) ? 'correction' : undefined;
}

/** The words of everything that a text may have stated. */
export const statementsIn = (text: string): Set<string> =>
  new Set(
    [...sentencesOf(text), ...userSentencesOf(text), ...withOutcries(userSentencesOf(text))].map(
      statementWords,
    ),
  );

/** A repeated statement moves to the end, in its newest words. */
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

/** Takes back what was only said on an abandoned branch. */
export const forgetPreferences = (preferences: Preferences, rewoundTo: number): Preferences =>
  mapped(preferences, (list) => forget(list, rewoundTo));

/** Without a retracted preference, until it is said again. Old retractions have a key but no text. */
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

/** All with their kind: rules, tools, corrections. */
export const allPreferences = (
  preferences: Preferences,
): (Preference & { kind: PreferenceKind })[] =>
  (['rule', 'tool', 'correction'] as const).flatMap((kind) =>
    preferences[LIST_OF[kind]].map((one) => ({ ...one, kind })),
  );
