import { headOf } from '../projections/bounds.ts';
import { bare } from '../projections/clauses.ts';
import type { ContextState } from '../projections/folds/context.ts';
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
/** Prompts that are given whole: the first, which says what it is all about, and the newest. */
const NEWEST_PROMPTS = 2;

/** Two weak signs do not make a strong one. */
const SHARPNESS = 1.5;
/** Users say less, and less of it in passing. */
const SAID_SHARPNESS = 1.2;

/** To find out what an error was took work. */
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

/** What it would be about has no name in the work. */
const TALK_WEIGHT = 0.3;

/** `Go on, please.`: it says nothing of the work, and nobody asks for it again. */
const NUDGE =
  /^(?:(?:go|on|ahead|continue|proceed|keep|going|next|more|and|now|then|so|ok(?:ay)?|yes|yep|sure|please|pls|thanks|thank you|fine|good|great|nice|perfect|hi|hello|weiter|ja|bitte|danke)(?:[ ,.!?]+|$)){1,4}$/i;
const NUDGE_WEIGHT = 0.02;

/** Of a prompt of which no sentence stood out. */
const PLAIN_CHARS = 240;
const WHOLE_WEIGHT = 0.7;
const PLAIN_WEIGHT = 0.12;

/**
 * The first prompt and the newest as they are, but for the rules and corrections in them, which have lines of their own, or were taken back; of the others what stood out is told by itself, and where nothing did,
 * how they start. But for those that were a correction and nothing else: they are told as such.
 */
export function promptItems(state: ContextState, evidence: EvidenceState): Found[] {
  const { conversation, preferences } = state;
  const told = new Set(preferences.corrections.map(({ text }) => text));
  const stoodOut = new Set([
    ...evidence.notes.map(({ seq }) => seq),
    ...[...preferences.rules, ...preferences.tools].map(({ seq }) => seq),
  ]);
  const prompts = conversation.messages.filter(
    ({ role, content }) => role === 'user' && !told.has(content.trim()),
  );
  const stated = [...preferences.rules, ...preferences.tools, ...preferences.corrections];
  return prompts.flatMap(({ content, seq, timestamp }, index) => {
    const isWhole = index === 0 || index >= prompts.length - NEWEST_PROMPTS;
    const left = isWhole ? [] : leftOf(content, toldOf(seq, state, evidence));
    if (!isWhole && stoodOut.has(seq) && left.every(saysNothing)) return [];
    const said = isWhole || !stoodOut.has(seq) ? bare(oneLine(content)) : oneLine(left.join(' '));
    const own = isWhole ? without(said, stated, seq) : said;
    if (own === '') return [];
    const text = headOf(own, isWhole ? PROMPT_CHARS : PLAIN_CHARS);
    const states = isShort(content) && left.some(isStatement);
    const asked = isWhole ? WHOLE_WEIGHT : states ? STATED_WEIGHT : PLAIN_WEIGHT;
    const weight = NUDGE.test(own) ? NUDGE_WEIGHT : asked;
    // An errand is all that most of them are.
    return { kind: 'prompt', text, brief: text, seq, at: timestamp, weight };
  });
}

/** The lines that are told of a prompt, besides it. */
const toldOf = (seq: number, { preferences }: ContextState, { notes }: EvidenceState): string[] =>
  [...preferences.rules, ...preferences.tools, ...preferences.corrections, ...notes]
    .filter((one) => one.seq === seq)
    .map(({ text }) => text.replace(/…$/, ''));

/** What was said, decided, found out and measured, from the session's start on. */
export function noteItems(
  state: ContextState,
  evidence: EvidenceState,
  topics: Topics,
  inside: (text: string) => string,
): Found[] {
  const whole = new Map(promptItems(state, evidence).map(({ seq, text }) => [seq, text]));
  const { preferences, conversation } = state;
  const prompts = conversation.messages.filter(({ role }) => role === 'user').slice(1);
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
          : // What stands before a figure is what it counts.
            kind === 'figure' || kind === 'reported'
            ? text
            : withoutLead(text, topics),
      );
      if (note.refuted !== undefined) return refutedItem(note, told);
      return {
        kind: KIND_OF[kind],
        text: told,
        ...(kind === 'mended' && { brief: shortMended(told) }),
        // The line is of the failure; that it was mended is shown by what came later.
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

/** What the user said by way of a call is told in full; words that are a rule are told as one. */
function usersItem({ kind, text, seq, at, weight }: Note, { preferences }: ContextState): Found {
  const isRule = [...preferences.rules, ...preferences.tools].some((one) => one.seq === seq);
  const told = kind === 'refused' && isRule ? text.replace(/ → .*$/s, '') : text;
  const worth = (told === text ? weight : REFUSED_WEIGHT) / 100;
  return { kind: KIND_OF[kind], text: told, brief: told, seq, at, weight: worth };
}
/** Of a call about which the user's words are told elsewhere. */
const REFUSED_WEIGHT = 40;

/** What turned out wrong is worth a little, for nobody to try it again, and is never told without saying so. */
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
/** Without the command that it was found out with. */
const shortMended = (text: string): string =>
  text.replace(/ \(`[^`]*`\)(?= →|:)/, '').replace(/\.$/, '');

/** Of one name; a single one must not make a sentence worth twice as much. */
const USES_MAX = 3;
/** A shorter number comes up again by chance. */
const NUMBER_CHARS_MIN = 4;
const FIGURE = /\d[\d.,]*\d/g;
/** Events between a figure and the sentence that tells it. */
const TOLD_WITHIN = 12;

/** A figure that the agent gave in a sentence right after it was printed, or a sentence that says what mended an error. */
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

/** Of the names in it, those that were used again later, by the user or the agent. */
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
