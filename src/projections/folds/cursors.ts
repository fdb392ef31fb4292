import type {
  CompactionFinished,
  FactEnriched,
  PromptSubmitted,
  RecallInjected,
  TranscriptRead,
} from '../../events/types.ts';
import { type Fact, keepNewest, keyOf, type Projection } from '../contract.ts';

export interface Cursor {
  path: string;
  /** Byte offset up to which the transcript was read. */
  to: number;
  /** See `TranscriptRead.tail`. */
  tail: string;
}

/** A prompt or a compaction: several may have one prompt id, so they are told apart by their number. */
export interface Seen {
  /** The prompt's, or of the prompt that the compaction happened in; '' when its witness did not say. */
  promptId: string;
  id: string;
  traced: boolean;
  /** How the hook's text starts, with its length: tells a repeated hook from the next. Null from a transcript. */
  hookMark: string | null;
}

/** What reconciliation and recall have to remember about one session. */
export interface CursorsState {
  /** By sub-agent id; '' is the main thread. */
  threads: Record<string, Cursor>;
  /** Facts that hooks told and no transcript yet: id to type. */
  untraced: Record<string, string>;
  /** Of those, the ones to which the client gave no name: they are matched by their order. */
  unnamed: { id: string; type: string }[];
  prompts: Seen[];
  compactions: Seen[];
  /** Of the last prompt that a transcript told. */
  lastPromptId: string;
  /** Keys of items that were given back since the last compaction. */
  injected: string[];
  /** True from a compaction until a prompt after it was answered with what was still missing. */
  owesRecall: boolean;
}

const UNTRACED_MAX = 4000;
const UNNAMED_MAX = 200;
const SEEN_MAX = 100;
const INJECTED_MAX = 500;

export const cursors: Projection<CursorsState> = {
  name: 'cursors',
  version: 1,
  scope: 'session-arrival',
  types: [
    'prompt.submitted',
    'tool.called',
    'tool.succeeded',
    'tool.failed',
    'compaction.finished',
    'fact.enriched',
    'transcript.read',
    'recall.injected',
  ],
  initial: () => ({
    threads: {},
    untraced: {},
    unnamed: [],
    prompts: [],
    compactions: [],
    lastPromptId: '',
    injected: [],
    owesRecall: false,
  }),
  apply(state, fact) {
    if (fact.type === 'transcript.read') {
      const { path, to, tail } = fact.data as TranscriptRead;
      state.threads[keyOf(fact.agent ?? '')] = { path, to, tail };
    } else if (fact.type === 'fact.enriched') enriched(state, fact as Fact<FactEnriched>);
    else if (fact.type === 'recall.injected') injected(state, fact as Fact<RecallInjected>);
    else if (fact.type === 'prompt.submitted') {
      if (fact.agent === null)
        seen(state, state.prompts, fact, (fact.data as PromptSubmitted).text);
    } else if (fact.type === 'compaction.finished') {
      seen(state, state.compactions, fact, (fact.data as CompactionFinished).summary);
    } else if (!isTraced(fact)) waits(state, fact);
    return state;
  },
};

const isTraced = (fact: Fact): boolean => (fact.data as { trace?: unknown }).trace !== undefined;

export const textMark = (text: string): string => `${text.length} ${text.slice(0, 100)}`;

function waits(state: CursorsState, { id, type }: Fact): void {
  state.untraced[id] = type;
  const ids = Object.keys(state.untraced);
  if (ids.length > UNTRACED_MAX) delete state.untraced[ids[0]!];
}

/** A prompt or a compaction. */
function seen(state: CursorsState, list: Seen[], fact: Fact, text: string): void {
  const { id, type } = fact;
  const promptId = (fact.data as { promptId?: string }).promptId ?? '';
  const traced = isTraced(fact);
  list.push({ promptId, id, traced, hookMark: traced ? null : textMark(text) });
  keepNewest(list, SEEN_MAX);
  if (traced) {
    if (list === state.prompts) state.lastPromptId = promptId;
    return;
  }
  waits(state, fact);
  if (promptId !== '') return;
  state.unnamed.push({ id, type });
  keepNewest(state.unnamed, UNNAMED_MAX);
}

function enriched(state: CursorsState, { data }: Fact<FactEnriched>): void {
  if (data.trace === undefined) return;
  delete state.untraced[data.of];
  state.unnamed = state.unnamed.filter((one) => one.id !== data.of);
  const compaction = state.compactions.find((one) => one.id === data.of);
  if (compaction !== undefined) compaction.traced = true;
  const prompt = state.prompts.find((one) => one.id === data.of);
  if (prompt === undefined) return;
  prompt.traced = true;
  state.lastPromptId = prompt.promptId;
}

function injected(state: CursorsState, { data }: Fact<RecallInjected>): void {
  if (data.event === 'SessionStart') {
    state.injected = [];
    state.owesRecall = data.source === 'compact';
  } else state.owesRecall = false;
  state.injected.push(...data.items.map((item) => item.key));
  keepNewest(state.injected, INJECTED_MAX);
}
