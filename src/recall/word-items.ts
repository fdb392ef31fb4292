import { endsOf, headOf } from '../projections/bounds.ts';
import { bare } from '../projections/clauses.ts';
import type { ContextState } from '../projections/folds/context.ts';
import { type Message, promptsOf } from '../projections/folds/conversation.ts';
import type { EvidenceState } from '../projections/folds/evidence.ts';
import { findName } from '../projections/folds/evidence-names.ts';
import type { Note } from '../projections/folds/evidence-notes.ts';
import { namesAmong } from '../projections/references.ts';
import { oneLine } from '../projections/safe-text.ts';
import { withoutLead } from './brief.ts';
import type { Found, Kind } from './item.ts';
import { isShort, isStatement, leftOf, STATED_WEIGHT, saysNothing } from './prompt-worth.ts';
import { without } from './repeats.ts';
import type { Topics } from './topics.ts';

const PROMPT_CHARS = 400;
/** The last one is the task at hand. */
const LAST_CHARS = 800;
/** Prompts that are given whole besides the first. */
const NEWEST_PROMPTS = 2;

/** Exponent: two weak hints do not make a strong one. */
const SHARPNESS = 1.5;
/** Less for users, who say little in passing. */
const SAID_SHARPNESS = 1.2;

/** Finding an error's cause took work. */
const MENDED = 1.2;

const KIND_OF: Record<Note['kind'], Kind> = {
  said: 'prompt',
  decision: 'decision',
  finding: 'finding',
  figure: 'finding',
  mended: 'finding',
  chosen: 'decision',
  refused: 'correction',
  reported: 'subagent',
};

/** For sentences that name nothing of the work. */
const TALK_WEIGHT = 0.3;

/** `Go on, please.` */
const NUDGE =
  /^(?:(?:go|on|ahead|continue|proceed|keep|going|next|more|and|now|then|so|ok(?:ay)?|yes|yep|sure|please|pls|thanks|thank you|fine|good|great|nice|perfect|hi|hello|weiter|ja|bitte|danke)(?:[ ,.!?]+|$)){1,4}$/i;
const NUDGE_WEIGHT = 0.02;

/** For prompts in which nothing stood out. */
const PLAIN_CHARS = 240;
const WHOLE_WEIGHT = 0.7;
const PLAIN_WEIGHT = 0.12;

/** The user's last prompt; where that only says to go on, the last one that says more as well. */
export function lastPrompts({ conversation }: ContextState): Message[] {
  const all = promptsOf(conversation);
  const last = all.slice(-1);
  return last.some(isNudge) ? [...all.filter((one) => !isNudge(one)).slice(-1), ...last] : last;
}

const NUDGE_CHARS_MAX = 80;
const isNudge = ({ content }: Message): boolean =>
  content.length <= NUDGE_CHARS_MAX && NUDGE.test(bare(oneLine(content)));

/**
 * The first and the newest prompts, without rules and corrections, which have lines of their own. Of others, notable sentences have
 * lines, else their start is given. Prompts that only correct are left out.
 */
export function promptItems(state: ContextState, evidence: EvidenceState): Found[] {
  const { conversation, preferences } = state;
  const told = new Set(preferences.corrections.map(({ text }) => text));
  const stoodOut = new Set([
    ...evidence.notes.map(({ seq }) => seq),
    ...[...preferences.rules, ...preferences.tools].map(({ seq }) => seq),
  ]);
  const lasts = new Set(lastPrompts(state).map(({ seq }) => seq));
  const prompts = promptsOf(conversation).filter(
    ({ content, seq }) => lasts.has(seq) || !told.has(content.trim()),
  );
  const stated = [...preferences.rules, ...preferences.tools, ...preferences.corrections];
  return prompts.flatMap(({ content, end = '', seq, timestamp }, index): Found[] => {
    const isWhole = index === 0 || index >= prompts.length - NEWEST_PROMPTS || lasts.has(seq);
    const left = isWhole ? [] : leftOf(content, toldOf(seq, state, evidence));
    if (!isWhole && stoodOut.has(seq) && left.every(saysNothing)) return [];
    const isLast = lasts.has(seq);
    const typed = isLast ? `${content}${end}` : content;
    const said = isWhole || !stoodOut.has(seq) ? bare(oneLine(typed)) : oneLine(left.join(' '));
    const rest = isWhole ? without(said, stated, seq) : said;
    // What it states has lines of its own.
    const hasLines = stated.some((one) => one.seq === seq && !isAnswer(one, evidence.notes));
    const own = rest === '' && isLast && !hasLines ? said : rest;
    if (own === '') return [];
    const text = isLast
      ? endsOf(own, LAST_CHARS)
      : headOf(own, isWhole ? PROMPT_CHARS : PLAIN_CHARS);
    const states = isShort(content) && left.some(isStatement);
    const asked = isWhole ? WHOLE_WEIGHT : states ? STATED_WEIGHT : PLAIN_WEIGHT;
    const weight = NUDGE.test(own) ? NUDGE_WEIGHT : asked;
    // Most are nothing but a task, so the short form is the same.
    const item: Found = { kind: 'prompt', text, brief: text, seq, at: timestamp, weight };
    return [isLast ? { ...item, sure: true } : item];
  });
}

/** An answer is given together with its question. */
export const isAnswer = (
  { text, seq }: Pick<Note, 'text' | 'seq'>,
  notes: readonly Note[],
): boolean => notes.some((one) => one.seq === seq && one.text.includes(` → ${text}`));

const toldOf = (seq: number, { preferences }: ContextState, { notes }: EvidenceState): string[] =>
  [...preferences.rules, ...preferences.tools, ...preferences.corrections, ...notes]
    .filter((one) => one.seq === seq)
    .map(({ text }) => text.replace(/…$/, ''));

/** What was said, decided, found and measured. */
export function noteItems(
  state: ContextState,
  evidence: EvidenceState,
  topics: Topics,
  inside: (text: string) => string,
): Found[] {
  const whole = new Map(promptItems(state, evidence).map(({ seq, text }) => [seq, text]));
  const { preferences, conversation } = state;
  const prompts = promptsOf(conversation).slice(1);
  const short = new Set(prompts.filter(({ content }) => isShort(content)).map(({ seq }) => seq));
  const told = new Set(
    [...preferences.rules, ...preferences.tools, ...preferences.corrections].map(
      ({ text }) => text,
    ),
  );
  return evidence.notes
    .filter(
      ({ kind, text, seq }) =>
        !(
          kind === 'said' &&
          (whole.get(seq)?.includes(text) || told.has(text) || saysNothing(text))
        ) && !preferences.corrections.some((one) => one.seq === seq && one.text.includes(text)),
    )
    .filter((note) => !isToldInWords(note, evidence.notes))
    .map((note) => {
      if (note.kind === 'chosen' || note.kind === 'refused') return usersItem(note, state);
      const { kind, text, seq, at, weight, failed } = note;
      const told = inside(
        kind === 'mended'
          ? text.replace(CAUSE, (_, cause) => `→ ${withoutLead(cause, topics)}`)
          : // A figure needs the words before it.
            kind === 'figure' || kind === 'reported'
            ? text
            : withoutLead(text, topics),
      );
      if (note.refuted !== undefined) return refutedItem(note, told);
      return {
        kind: KIND_OF[kind],
        text: told,
        ...(kind === 'mended' && { brief: shortMended(told) }),
        // The line is of the failure; the later event shows that it was mended.
        seq: failed ?? seq,
        ...(failed !== undefined && { cites: [seq] }),
        at,
        weight: Math.max(
          short.has(seq) && kind === 'said' && isStatement(text) ? STATED_WEIGHT : 0,
          (weight / 100) ** (kind === 'said' ? SAID_SHARPNESS : SHARPNESS) *
            (kind === 'mended' ? MENDED : topics.isAbout(text) ? 1 : TALK_WEIGHT),
        ),
        reuse: reuseOf(note, evidence),
      };
    });
}

/** What users say in calls is given whole; a rule among it is given as a rule. */
function usersItem({ kind, text, seq, at, weight }: Note, { preferences }: ContextState): Found {
  const isRule = [...preferences.rules, ...preferences.tools].some((one) => one.seq === seq);
  const told = kind === 'refused' && isRule ? text.replace(/ → .*$/s, '') : text;
  const worth = (told === text ? weight : REFUSED_WEIGHT) / 100;
  return { kind: KIND_OF[kind], text: told, brief: told, seq, at, weight: worth };
}
/** Where the user's words are given elsewhere. */
const REFUSED_WEIGHT = 40;

/** Refuted notes keep some worth as a warning, and are always marked. */
function refutedItem({ kind, seq, at, weight, refuted }: Note, told: string): Found {
  const text = `refuted by @${refuted!.seq}: ${told}`;
  return {
    kind: KIND_OF[kind],
    text,
    brief: text,
    seq,
    at,
    weight: REFUTED_WEIGHT * (weight / 100),
  };
}
const REFUTED_WEIGHT = 0.25;

const CAUSE = /→ (.*)$/s;
/** Without the failing command. */
const shortMended = (text: string): string =>
  text.replace(/ \(`[^`]*`\)(?= →|:)/, '').replace(/\.$/, '');

/** For one name, so that it does not dominate. */
const USES_MAX = 3;
/** Shorter numbers recur by chance. */
const NUMBER_CHARS_MIN = 4;
const FIGURE = /\d[\d.,]*\d/g;
/** Events between a figure and a sentence about it. */
const TOLD_WITHIN = 12;

/** Repeated by a sentence: a figure soon after it was printed, or a cause in the note of a mended failure. */
function isToldInWords({ kind, text, seq }: Note, notes: readonly Note[]): boolean {
  if (kind === 'decision' || kind === 'finding')
    return notes.some(
      (note) => note.kind === 'mended' && note.seq === seq && note.text.endsWith(text),
    );
  if (kind !== 'figure') return false;
  const figures = text.match(FIGURE) ?? [];
  return notes.some(
    (note) =>
      note.kind !== 'figure' &&
      note.seq > seq &&
      note.seq <= seq + TOLD_WITHIN &&
      figures.length > 0 &&
      figures.every((figure) => note.text.includes(figure)),
  );
}

function reuseOf({ text, seq }: Note, { names }: EvidenceState): number {
  let uses = 0;
  for (const name of new Set(namesAmong(text))) {
    const known = findName(names, name);
    if (known === undefined) continue;
    if (known.kind === 'number' && name.length < NUMBER_CHARS_MIN) continue;
    if (known.seq > seq) uses += Math.min(USES_MAX, known.uses);
  }
  return uses;
}
