import type {
  CompactionFinished,
  FactEnriched,
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

export interface SeenCompaction {
  /** The prompt that it happened in, or '' when its witness did not say. */
  promptId: string;
  id: string;
  traced: boolean;
  /** How the hook's summary starts, with its length: tells a repeated hook from the next compaction. */
  hookSummary: string | null;
}

/** What reconciliation and recall have to remember about one session. */
export interface CursorsState {
  /** By sub-agent id; '' is the main thread. */
  threads: Record<string, Cursor>;
  /** Facts that hooks told and no transcript yet: id to type. */
  untraced: Record<string, string>;
  /** Of those, the ones to which the client gave no name: they are matched by their order. */
  unnamed: { id: string; type: string }[];
  compactions: SeenCompaction[];
  /** Keys of items that were given back since the last compaction. */
  injected: string[];
  /** True from a compaction until a prompt after it was answered with what was still missing. */
  owesRecall: boolean;
}

const UNTRACED_MAX = 4000;
const UNNAMED_MAX = 200;
const COMPACTIONS_MAX = 50;
const INJECTED_MAX = 500;
const TRACEABLE = new Set(['prompt.submitted', 'tool.called', 'tool.succeeded', 'tool.failed']);

export const cursors: Projection<CursorsState> = {
  name: 'cursors',
  version: 1,
  scope: 'session-arrival',
  types: [
    ...TRACEABLE,
    'compaction.finished',
    'fact.enriched',
    'transcript.read',
    'recall.injected',
  ],
  initial: () => ({
    threads: {},
    untraced: {},
    unnamed: [],
    compactions: [],
    injected: [],
    owesRecall: false,
  }),
  apply(state, fact) {
    if (fact.type === 'transcript.read') {
      const { path, to, tail } = fact.data as TranscriptRead;
      state.threads[keyOf(fact.agent ?? '')] = { path, to, tail };
    } else if (fact.type === 'fact.enriched') enriched(state, fact as Fact<FactEnriched>);
    else if (fact.type === 'recall.injected') injected(state, fact as Fact<RecallInjected>);
    else if (fact.type === 'compaction.finished')
      compacted(state, fact as Fact<CompactionFinished>);
    else if (!isTraced(fact)) waits(state, fact);
    return state;
  },
};

const isTraced = (fact: Fact): boolean => (fact.data as { trace?: unknown }).trace !== undefined;

function waits(state: CursorsState, { id, type, data }: Fact): void {
  state.untraced[id] = type;
  const ids = Object.keys(state.untraced);
  if (ids.length > UNTRACED_MAX) delete state.untraced[ids[0]!];
  const named =
    type !== 'prompt.submitted' || (data as { promptId?: string }).promptId !== undefined;
  if (named) return;
  state.unnamed.push({ id, type });
  keepNewest(state.unnamed, UNNAMED_MAX);
}

function enriched(state: CursorsState, { data }: Fact<FactEnriched>): void {
  if (data.trace === undefined) return;
  delete state.untraced[data.of];
  state.unnamed = state.unnamed.filter((one) => one.id !== data.of);
  const compaction = state.compactions.find((one) => one.id === data.of);
  if (compaction !== undefined) compaction.traced = true;
}

export const summaryMark = (summary: string): string =>
  `${summary.length} ${summary.slice(0, 100)}`;

function compacted(state: CursorsState, fact: Fact<CompactionFinished>): void {
  const traced = isTraced(fact);
  const promptId = fact.data.promptId ?? '';
  const hookSummary = traced ? null : summaryMark(fact.data.summary);
  state.compactions.push({ promptId, id: fact.id, traced, hookSummary });
  keepNewest(state.compactions, COMPACTIONS_MAX);
  if (!traced) {
    state.untraced[fact.id] = fact.type;
    if (promptId === '') state.unnamed.push({ id: fact.id, type: fact.type });
  }
}

function injected(state: CursorsState, { data }: Fact<RecallInjected>): void {
  if (data.event === 'SessionStart') {
    state.injected = [];
    state.owesRecall = data.source === 'compact';
  } else state.owesRecall = false;
  state.injected.push(...data.items.map((item) => item.key));
  keepNewest(state.injected, INJECTED_MAX);
}
