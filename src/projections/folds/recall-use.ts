import type { MessageRecorded, RecallInjected, ToolCalled } from '../../events/types.ts';
import { dropOldest, keepNewest, keyOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';
import { referencesIn } from '../references.ts';
import { isOwnTool, textOf, wordsOf } from '../tools-text.ts';

/** What was given back around a compaction or start, and what the agent has mentioned since. */
export interface RecallUseState {
  /** Newest last. */
  given: { seq: number; source: string; chars: number; keys: string[] }[];
  /** What the agent named since the first of these, and the event of the last mention. */
  said: Record<string, number>;
  /** What the current compaction was told to keep; the model has it once the client shows it. */
  told: { chars: number; keys: string[] } | null;
}

/** A session start and the prompt after it; some to spare. */
const GIVEN_MAX = 4;
const KEYS_MAX = 300;
const SAID_MAX = 2000;
const SAID_CHARS_MAX = 60_000;
const TEXT_CHARS = 8000;

/** What the agent uses of what it was given back, judged by what it mentions afterwards. */
export const recallUse: Projection<RecallUseState> = {
  name: 'recall-use',
  version: 2,
  scope: 'session-arrival',
  initial: () => ({ given: [], said: {}, told: null }),
  ...foldedBy<RecallUseState>({
    'recall.injected': given,
    'message.recorded': spoken,
    'tool.called': spoken,
  }),
};

function given(state: RecallUseState, { seq, data }: Fact<RecallInjected>): void {
  const { source, chars, items } = data;
  const keys = items.slice(0, KEYS_MAX).map(({ key }) => key);
  // Advice to a compaction is not given back yet.
  if (data.event === 'PreCompact') {
    state.told = { chars, keys };
    return;
  }
  if (data.event === 'SessionStart' && source !== 'resume') {
    state.given = [];
    state.said = {};
  }
  state.given.push({ seq, source, chars, keys });
  keepNewest(state.given, GIVEN_MAX);
}

/** A client's answer to its own command shows what our hook printed. */
function isAnswerOfClient({ type, data }: Fact): boolean {
  if (type !== 'message.recorded') return false;
  const { kind, text } = data as MessageRecorded;
  return kind === 'command' && textOf(text)?.includes('<ben10-recall-') === true;
}

function spoken(state: RecallUseState, fact: Fact): void {
  if (state.told !== null && isAnswerOfClient(fact)) {
    state.given.push({ seq: fact.seq, source: 'steering', ...state.told });
    keepNewest(state.given, GIVEN_MAX);
    state.told = null;
  } else if (state.given.length > 0) mentioned(state, textFrom(fact), fact.seq);
}

/** The agent's own words and calls. */
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
