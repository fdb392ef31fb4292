import { sha256Hex } from '../../platform/sha256.ts';
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
  /** Names it, whatever session it is in: by its kind and its words, capitals and the last sign apart. */
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
const KEY_CHARS = 12;
export const REFUSAL_CHARS = 300;

export const noPreferences = (): Preferences => ({ rules: [], tools: [], corrections: [] });

export function preferenceKey(kind: PreferenceKind, text: string): string {
  const words = text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!]+$/, '');
  return sha256Hex(`${kind}\0${words}`).slice(0, KEY_CHARS);
}

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
    if (kind !== undefined) note(preferences[LIST_OF[kind]], kind, sentence, fact);
  }
}

/** Of what the user said when they refused a call: a rule, or what puts right what was about to be done. */
export function learnRefusal(preferences: Preferences, words: string, fact: Fact): void {
  if (userSentencesOf(words).some((one) => kindOf(one, true) !== undefined))
    learn(preferences, words, fact, true);
  else {
    note(preferences.corrections, 'correction', refusalIn(words), fact);
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

/** The keys of all that a text could state, of whatever kind. */
export const preferenceKeysIn = (text: string): Set<string> =>
  new Set(
    [
      ...sentencesOf(text),
      ...userSentencesOf(text),
      ...withOutcries(userSentencesOf(text)),
    ].flatMap((sentence) =>
      (['rule', 'tool', 'correction'] as const).map((kind) => preferenceKey(kind, sentence)),
    ),
  );

/** What is said again moves to the end, in its newest words. */
function note(list: Preference[], kind: PreferenceKind, text: string, fact: Fact): void {
  const { seq, at, trace } = fact;
  const key = preferenceKey(kind, text);
  const index = list.findIndex((one) => one.key === key);
  const [before] = index === -1 ? [] : list.splice(index, 1);
  const seqs = [...(before?.seqs ?? []), seq].slice(-SEQS_MAX);
  const pos = before === undefined ? (trace?.pos ?? null) : before.pos;
  list.push({ text, seq, at, pos, key, seqs, count: (before?.count ?? 0) + 1 });
}

/** Without what was said on an abandoned branch alone; see `forget`. */
export const forgetPreferences = (preferences: Preferences, rewoundTo: number): Preferences =>
  mapped(preferences, (list) => forget(list, rewoundTo));

/** Without the one of that key, until it is said again. */
export const withoutPreference = (preferences: Preferences, key: string): Preferences =>
  mapped(preferences, (list) => list.filter((one) => one.key !== key));

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
