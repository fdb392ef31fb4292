import type { MessageRecorded, PromptSubmitted, TurnEnded } from '../../events/types.ts';
import type { Fact } from '../contract.ts';
import { type Asked, answered, askedBy, choiceIn } from '../exchanges.ts';
import { type Noteworthy, saidIn, statedIn } from '../noteworthy.ts';
import { askedIn, isOwnCommand, textOf } from '../tools-text.ts';
import type { EvidenceState } from './evidence.ts';
import { explainMended } from './evidence-mended.ts';
import { type Mentioner, mention } from './evidence-names.ts';
import { withNotes } from './evidence-notes.ts';
import { lastWords, startOf } from './last-words.ts';
import { refutedByAgent, refutedByUser } from './refuted.ts';
import { mainPosition } from './rewind.ts';

/** Parts of a text that are searched. */
const HEAD_CHARS = 16_000;
const TAIL_CHARS = 4000;

/** A prompt, an agent's message, or a turn's end, which may be the only source of the agent's last message. */
export function said(state: EvidenceState, fact: Fact): void {
  if (fact.type === 'prompt.submitted') {
    const text = clipped(askedIn((fact.data as PromptSubmitted).text));
    if (isOwnCommand(text)) return;
    state.tick += 1;
    learn(state, text, 'user', fact, null);
    refute(state, refutedByUser, text, fact);
    state.prompted = state.tick;
    note(state, 'agent', text, saidIn(text, state.tick > 1), fact);
    state.asked = choiceIn(text) ?? null;
  } else if (fact.type === 'message.recorded') {
    const { kind, role, text } = fact.data as MessageRecorded;
    if (kind !== 'text' || role !== 'assistant') return;
    const own = clipped(textOf(text) ?? '');
    saidByAgent(state, own, fact);
  } else if (fact.type === 'turn.ended') {
    const words = lastWords(fact as Fact<TurnEnded>);
    const own = clipped(textOf(words?.data.text) ?? '');
    if (words === undefined || state.said === null || state.said === startOf(own)) return;
    state.said = startOf(own);
    saidByAgent(state, own, words);
  }
}

function saidByAgent(state: EvidenceState, own: string, fact: Fact): void {
  state.tick += 1;
  learn(state, own, 'agent', fact, null);
  refute(state, refutedByAgent, own, fact);
  note(state, 'user', own, statedIn(own), fact);
  state.asked = askedBy(own) ?? null;
  explainMended(state, own, fact);
}

/** A refuted assumption is no possible cause any more. */
function refute(state: EvidenceState, by: typeof refutedByUser, text: string, fact: Fact): void {
  const { notes, prompted } = state;
  state.notes = by(notes, text, prompted, { seq: fact.seq, pos: mainPosition(fact) });
  if (state.notes !== notes) state.suspected = null;
}
/** Notes what a text says, and what it means as an answer. */
function note(
  state: EvidenceState,
  asker: Asked['by'],
  text: string,
  found: Noteworthy[],
  fact: Fact,
): void {
  const { asked, tick } = state;
  const answer = asked?.by === asker ? answered(asked, text) : undefined;
  const rest = found.filter((one) => answer?.text.includes(one.text) !== true);
  state.notes = withNotes(state.notes, answer === undefined ? rest : [...rest, answer], fact, tick);
}

/** @param home the file that the text is about */
export function learn(
  state: EvidenceState,
  text: string,
  by: Mentioner,
  fact: Fact,
  home: string | null,
): void {
  const mentioned = { by, seq: fact.seq, tick: state.tick, home, pos: mainPosition(fact) };
  state.names = mention(state.names, text, mentioned);
}

export const clipped = (text: string): string =>
  text.length <= HEAD_CHARS + TAIL_CHARS
    ? text
    : `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}`;
