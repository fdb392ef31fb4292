import type { MessageRecorded, RecallInjected, ToolCalled } from '../../events/types.ts';
import { dropOldest, keepNewest, keyOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';
import { referencesIn } from '../references.ts';
import { isOwnTool, textOf, wordsOf } from '../tools-text.ts';

/** What was given back around one compaction or start, and what the agent has mentioned since. */
export interface RecallUseState {
  /** The newest last. */
  given: { seq: number; source: string; chars: number; keys: string[] }[];
  /** Paths, names and numbers that the agent said or used after the first of these, and the event of the last time. */
  said: Record<string, number>;
  /** What the compaction under way was told to keep: the model has it once its client shows that. */
  told: { chars: number; keys: string[] } | null;
}

/** A session's start and the prompt after it; a prompt that finds nothing owed gives nothing. */
const GIVEN_MAX = 4;
const KEYS_MAX = 300;
const SAID_MAX = 2000;
const SAID_CHARS_MAX = 60_000;
/** Of one text that are looked through. */
const TEXT_CHARS = 8000;

/** Which of what was given back is used: by what the agent mentions afterwards. What was given is known by reference alone. */
export const recallUse: Projection<RecallUseState> = {
  name: 'recall-use',
  version: 2,
  scope: 'session-arrival',
  types: ['recall.injected', 'message.recorded', 'tool.called'],
  initial: () => ({ given: [], said: {}, told: null }),
  apply(state, fact) {
    if (fact.type === 'recall.injected') return given(state, fact as Fact<RecallInjected>);
    if (state.told !== null && isAnswerOfClient(fact)) return shown(state, fact);
    if (state.given.length > 0) mentioned(state, textFrom(fact), fact.seq);
    return state;
  },
};

function given(state: RecallUseState, { seq, data }: Fact<RecallInjected>): RecallUseState {
  const { source, chars, items } = data;
  // What a compaction is told to keep is not given back yet.
  if (data.event === 'PreCompact') return { ...state, told: { chars, keys: keysOf(items) } };
  const isNew = data.event === 'SessionStart' && source !== 'resume';
  const all = [...(isNew ? [] : state.given), { seq, source, chars, keys: keysOf(items) }];
  keepNewest(all, GIVEN_MAX);
  return { given: all, said: isNew ? {} : state.said, told: state.told };
}

const keysOf = (items: RecallInjected['items']): string[] =>
  items.slice(0, KEYS_MAX).map(({ key }) => key);

/** What a client says to a command of its own, with what our hook printed in it. */
function isAnswerOfClient({ type, data }: Fact): boolean {
  if (type !== 'message.recorded') return false;
  const { kind, text } = data as MessageRecorded;
  return kind === 'command' && textOf(text)?.includes('<ben10-recall-') === true;
}

function shown({ given, said, told }: RecallUseState, { seq }: Fact): RecallUseState {
  const all = [...given, { seq, source: 'steering', ...told! }];
  keepNewest(all, GIVEN_MAX);
  return { given: all, said, told: null };
}

/** The agent's own words and calls, not what tools answered. */
function textFrom({ type, data }: Fact): string {
  if (type === 'tool.called') {
    const { name, input } = data as ToolCalled;
    return isOwnTool(name) ? '' : wordsOf(input);
  }
  const { role, kind, text } = data as MessageRecorded;
  return role === 'assistant' && kind === 'text' ? (textOf(text) ?? '') : '';
}

function mentioned(state: RecallUseState, text: string, seq: number): void {
  for (const name of referencesIn(text.slice(0, TEXT_CHARS)).keys()) {
    delete state.said[keyOf(name)];
    state.said[keyOf(name)] = seq;
  }
  if (Object.keys(state.said).length > SAID_MAX) dropOldest(state.said, SAID_MAX, SAID_CHARS_MAX);
}
