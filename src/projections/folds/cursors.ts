import type {
  CompactionFinished,
  CompactionStarted,
  FactEnriched,
  PromptSubmitted,
  RecallInjected,
  RunningPrompt,
  SessionStarted,
  Text,
  ToolCalled,
  TranscriptRead,
} from '../../events/types.ts';
import { dropOldest, keepNewest, keyOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';
import { isOwnTool } from '../tools-text.ts';

export interface Cursor {
  path: string;
  /** Byte offset up to which the transcript was read. */
  to: number;
  /** See `TranscriptRead.tail`. */
  tail: string;
  /** The journal may have facts from behind `to`. */
  overlapping: boolean;
  latest?: number;
  running?: RunningPrompt;
}

/** A prompt or a compaction: several may have one prompt id, so they are told apart by their number and their text. */
export interface Seen {
  /** The prompt's, or of the prompt that the compaction happened in; '' when its witness did not say. */
  promptId: string;
  id: string;
  /** A transcript has told it, first or as well. */
  traced: boolean;
  /** A hook told it first. */
  byHook: boolean;
  /** See `textMark`; of its first witness. */
  mark: string;
  /** Set when its session was a fork of which no transcript had been read: the time of the fork. */
  forkedAt: number | null;
}

/** What reconciliation and recall have to remember about one session. */
export interface CursorsState {
  /** By sub-agent id; '' is the main thread. */
  threads: Record<string, Cursor>;
  /** Facts that hooks told and no transcript yet: id to type. */
  untraced: Record<string, string>;
  prompts: Seen[];
  compactions: Seen[];
  /** The id of the newest prompt that something was done behind, or whose turn ended; null when there is none. */
  worked: string | null;
  /** The newest compaction of which a hook told that it began: its time, and whether a transcript tells it already. */
  begun: { at: number; isTraced: boolean } | null;
  /** Calls of ben10's own tools without an outcome yet: tool use id and tool name. */
  ownCalls: [string, string][];
  /** Set from a fork until its transcript was read for the first time. */
  forkedAt: number | null;
  /** Keys of items that were given back since the last compaction. */
  injected: string[];
  /** When the compaction that is under way began, milliseconds; null when none is, or no hook told. */
  compactingSince: number | null;
  /** What is older was held before the newest compaction, milliseconds; null when there was none. */
  heldUntil: number | null;
  /** What the newest compaction has to be answered with next: at its own start, then at the prompt after it. */
  owed: 'compact' | 'prompt' | null;
  /** Nothing was given back since the newest compaction, so that the prompt is owed all of it. */
  unanswered: boolean;
  /** Keys of items that the newest compaction was told to keep, where its client shows the model what it was told; else null. */
  shown: string[] | null;
}

const THREADS_MAX = 1000;
const UNTRACED_MAX = 4000;
const SEEN_MAX = 100;
const OWN_CALLS_MAX = 200;
const INJECTED_MAX = 500;
/** A compaction that began longer ago came to nothing: the client gives a request up after ten minutes. */
const COMPACTION_MS_MAX = 600_000;

export const cursors: Projection<CursorsState> = {
  name: 'cursors',
  version: 7,
  scope: 'session-arrival',
  types: [
    'session.started',
    'prompt.submitted',
    'tool.called',
    'tool.succeeded',
    'tool.failed',
    'turn.ended',
    'compaction.started',
    'compaction.finished',
    'fact.enriched',
    'transcript.read',
    'recall.injected',
  ],
  initial: () => ({
    threads: {},
    untraced: {},
    prompts: [],
    compactions: [],
    worked: null,
    begun: null,
    ownCalls: [],
    forkedAt: null,
    injected: [],
    compactingSince: null,
    heldUntil: null,
    owed: null,
    unanswered: false,
    shown: null,
  }),
  apply(state, fact) {
    switch (fact.type) {
      case 'session.started':
        started(state, fact as Fact<SessionStarted>);
        break;
      case 'transcript.read':
        read(state, fact as Fact<TranscriptRead>);
        break;
      case 'fact.enriched':
        if ((fact.data as FactEnriched).trace !== undefined) {
          traced(state, (fact.data as FactEnriched).of);
        }
        break;
      case 'recall.injected':
        injected(state, fact as Fact<RecallInjected>);
        break;
      case 'prompt.submitted':
        if (fact.agent === null) prompted(state, fact as Fact<PromptSubmitted>);
        break;
      case 'compaction.started':
        began(state, fact as Fact<CompactionStarted>);
        break;
      case 'compaction.finished':
        finished(state, fact as Fact<CompactionFinished>);
        break;
      case 'turn.ended':
        worked(state, fact);
        break;
      default:
        tool(state, fact as Fact<ToolCalled>);
    }
    return state;
  },
};

/** How a text starts, with its length: tells a repeated hook from the next one. */
export function textMark(text: Text): string {
  if (typeof text === 'string') return `${text.length} ${text.slice(0, 100).toWellFormed()}`;
  return `${text.bytes}b ${text.head.slice(0, 100).toWellFormed()}`;
}

const isTraced = (fact: Fact): boolean => (fact.data as { trace?: unknown }).trace !== undefined;

function started(state: CursorsState, { data, at }: Fact<SessionStarted>): void {
  if (data.source === 'fork' && !Object.hasOwn(state.threads, '')) state.forkedAt = at;
  if (data.source !== 'compact') return;
  const since = state.compactingSince ?? at;
  // While it is compacted, the user may have typed already: that is none of what was held before.
  state.heldUntil = since <= at && at - since <= COMPACTION_MS_MAX ? since : at;
  state.compactingSince = null;
  state.owed = 'compact';
}

/** A client that was asked for a compaction by hand answers with what its hooks printed, and the model reads that, too. */
const SHOWN_OF = 'manual';

function began(state: CursorsState, { at, agent, data }: Fact<CompactionStarted>): void {
  state.compactingSince = at;
  if (agent === null) state.begun = { at, isTraced: false };
  state.shown = data.trigger === SHOWN_OF ? [] : null;
}

/** That of a compaction of which no session's start was heard yet: if none comes, the prompt after it is owed the answer. */
function finished(state: CursorsState, fact: Fact<CompactionFinished>): void {
  const { compactingSince: since } = state;
  const isNew = !state.compactions.some(({ id }) => id === fact.id);
  seen(state, state.compactions, fact, fact.data.summary);
  const { begun } = state;
  // A transcript may tell those before it only now.
  if (begun !== null && fact.agent === null && isTraced(fact) && fact.at >= begun.at)
    begun.isTraced = true;
  // What a transcript tells may be from long before, and what began may have come to nothing.
  if (!isNew || since === null || fact.at < since || fact.at - since > COMPACTION_MS_MAX) return;
  state.heldUntil = since;
  oweAll(state);
}

function oweAll(state: CursorsState): void {
  state.owed = 'prompt';
  state.unanswered = true;
  state.injected = [];
}

function prompted(state: CursorsState, fact: Fact<PromptSubmitted>): void {
  // The session's start passed without an answer; what a transcript tells may be from before it.
  if (state.owed === 'compact' && !isTraced(fact)) oweAll(state);
  seen(state, state.prompts, fact, fact.data.text);
}

function read(state: CursorsState, { data, agent }: Fact<TranscriptRead>): void {
  const { path, to, tail, overlapping = false, latest, running } = data;
  const thread = keyOf(agent ?? '');
  delete state.threads[thread];
  const memory = { ...(latest !== undefined && { latest }), ...(running && { running }) };
  state.threads[thread] = { path, to, tail, overlapping, ...memory };
  dropOldest(state.threads, THREADS_MAX);
  if (agent === null) state.forkedAt = null;
}

function tool(state: CursorsState, fact: Fact<ToolCalled>): void {
  const { toolUseId, name } = fact.data;
  if (isTraced(fact)) delete state.untraced[fact.id];
  else {
    wait(state, fact);
    worked(state, fact);
  }
  if (fact.type === 'tool.called' && isOwnTool(name)) {
    state.ownCalls.push([toolUseId, name]);
    keepNewest(state.ownCalls, OWN_CALLS_MAX);
  } else if (fact.type !== 'tool.called' && state.ownCalls.length > 0) {
    state.ownCalls = state.ownCalls.filter(([id]) => id !== toolUseId);
  }
}

function worked(state: CursorsState, { agent }: Fact): void {
  if (agent === null) state.worked = state.prompts.at(-1)?.id ?? null;
}

function wait(state: CursorsState, { id, type }: Fact): void {
  state.untraced[id] = type;
  dropOldest(state.untraced, UNTRACED_MAX);
}

/** A prompt or a compaction. */
function seen(state: CursorsState, list: Seen[], fact: Fact, text: Text): void {
  const { id } = fact;
  if (list.some((one) => one.id === id)) {
    if (isTraced(fact)) traced(state, id);
    return;
  }
  const promptId = (fact.data as { promptId?: string }).promptId ?? '';
  const byHook = !isTraced(fact);
  const { forkedAt } = state;
  list.push({ promptId, id, traced: !byHook, byHook, mark: textMark(text), forkedAt });
  keepNewest(list, SEEN_MAX);
  if (byHook) wait(state, fact);
}

function traced(state: CursorsState, id: string): void {
  delete state.untraced[id];
  const known = [...state.prompts, ...state.compactions].find((one) => one.id === id);
  if (known !== undefined) known.traced = true;
}

function injected(state: CursorsState, { data, at }: Fact<RecallInjected>): void {
  const keys = data.items.map((item) => item.key);
  // What a compaction is told to keep answers nothing.
  if (data.event === 'PreCompact') {
    if (state.shown !== null) state.shown = keys.slice(-INJECTED_MAX);
    return;
  }
  // A resume tells of the disk alone: what a compaction is owed stays owed.
  if (data.event === 'SessionStart' && data.source === 'resume') return;
  state.unanswered = false;
  state.compactingSince = null;
  if (data.event === 'SessionStart') {
    state.injected = [];
    state.owed = data.source === 'compact' ? 'prompt' : null;
    if (state.owed !== null) state.heldUntil ??= at;
  } else state.owed = null;
  state.injected = [...state.injected, ...keys].slice(-INJECTED_MAX);
}
