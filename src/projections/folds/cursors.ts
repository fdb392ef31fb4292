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
  ToolFailed,
  ToolSucceeded,
  TranscriptRead,
} from '../../events/types.ts';
import { dropOldest, keepNewest, keyOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';
import { isOwnTool } from '../tools-text.ts';

export interface Cursor {
  path: string;
  /** Byte offset up to which the transcript was read. */
  to: number;
  tail: string;
  /** The journal may have facts beyond `to`. */
  overlapping: boolean;
  latest?: number;
  running?: RunningPrompt;
}

/** A prompt or compaction. Several may share a prompt id; their number and text tell them apart. */
export interface Seen {
  /** The prompt's id, or of the prompt in which the compaction happened; '' when unknown. */
  promptId: string;
  id: string;
  /** A transcript has it. */
  traced: boolean;
  /** A hook reported it first. */
  byHook: boolean;
  /** `textMark` from its first source. */
  mark: string;
  /** The time of the fork, when its session was a fork whose transcript was still unread. */
  forkedAt: number | null;
}

export interface CursorsState {
  /** By sub-agent id; '' is the main thread. */
  threads: Record<string, Cursor>;
  /** Facts known from hooks only: id to type. */
  untraced: Record<string, string>;
  prompts: Seen[];
  compactions: Seen[];
  /** The newest prompt with work or a turn's end behind it. */
  worked: string | null;
  /** The newest compaction that a hook saw begin. */
  begun: { at: number; isTraced: boolean } | null;
  /** Open calls of ben10's own tools: tool use id and tool name. */
  ownCalls: [string, string][];
  /** Set from a fork until its transcript is read. */
  forkedAt: number | null;
  /** Keys of items given back since the last compaction. */
  injected: string[];
  /** When the current compaction began, milliseconds; null when none is under way, or no hook saw it. */
  compactingSince: number | null;
  /** Earlier facts belong to the context before the newest compaction; milliseconds. */
  heldUntil: number | null;
  /** Where the newest compaction is answered next: at its session start, or at the prompt after it. */
  owed: 'compact' | 'prompt' | null;
  /** Nothing was given back since the newest compaction, so the prompt gets everything. */
  unanswered: boolean;
  /** Keys of items that the newest compaction was told to keep, if its client also shows them to the model. */
  shown: string[] | null;
}

const THREADS_MAX = 1000;
const UNTRACED_MAX = 4000;
const SEEN_MAX = 100;
const OWN_CALLS_MAX = 200;
const INJECTED_MAX = 500;
/** Older compactions were given up: the client ends a request after ten minutes. */
const COMPACTION_MS_MAX = 600_000;

export const cursors: Projection<CursorsState> = {
  name: 'cursors',
  version: 7,
  scope: 'session-arrival',
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
  ...foldedBy<CursorsState>({
    'session.started': started,
    'prompt.submitted': prompted,
    'tool.called': tool,
    'tool.succeeded': tool,
    'tool.failed': tool,
    'turn.ended': worked,
    'compaction.started': began,
    'compaction.finished': finished,
    'fact.enriched': enriched,
    'transcript.read': read,
    'recall.injected': injected,
  }),
};

/** A text's length and start: tells a repeated hook from the next one. */
export function textMark(text: Text): string {
  if (typeof text === 'string') return `${text.length} ${text.slice(0, 100).toWellFormed()}`;
  return `${text.bytes}b ${text.head.slice(0, 100).toWellFormed()}`;
}

const isTraced = (fact: Fact): boolean => (fact.data as { trace?: unknown }).trace !== undefined;

function enriched(state: CursorsState, { data }: Fact<FactEnriched>): void {
  if (data.trace !== undefined) traced(state, data.of);
}

function started(state: CursorsState, { data, at }: Fact<SessionStarted>): void {
  if (data.source === 'fork' && !Object.hasOwn(state.threads, '')) state.forkedAt = at;
  if (data.source !== 'compact') return;
  const since = state.compactingSince ?? at;
  // The user may type during a compaction; that prompt is not part of the old context.
  state.heldUntil = since <= at && at - since <= COMPACTION_MS_MAX ? since : at;
  state.compactingSince = null;
  state.owed = 'compact';
}

/** After a manual compaction the client shows the model what the hooks printed. */
const SHOWN_OF = 'manual';

function began(state: CursorsState, { at, agent, data }: Fact<CompactionStarted>): void {
  state.compactingSince = at;
  if (agent === null) state.begun = { at, isTraced: false };
  state.shown = data.trigger === SHOWN_OF ? [] : null;
}

/** A compaction whose session start was not seen: if none comes, the next prompt gets the answer. */
function finished(state: CursorsState, fact: Fact<CompactionFinished>): void {
  const { compactingSince: since } = state;
  const isNew = !state.compactions.some(({ id }) => id === fact.id);
  seen(state, state.compactions, fact, fact.data.summary);
  const { begun } = state;
  // Transcripts report earlier compactions late.
  if (begun !== null && fact.agent === null && isTraced(fact) && fact.at >= begun.at)
    begun.isTraced = true;
  // A transcript's compaction may be long past, and one that began may have been given up.
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
  if (fact.agent !== null) return;
  // The session start was not answered. A transcript's prompt may be older than that.
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

function tool(state: CursorsState, fact: Fact<ToolCalled | ToolSucceeded | ToolFailed>): void {
  const { toolUseId } = fact.data;
  if (isTraced(fact)) delete state.untraced[fact.id];
  else {
    wait(state, fact);
    worked(state, fact);
  }
  if (fact.type !== 'tool.called')
    state.ownCalls = state.ownCalls.filter(([id]) => id !== toolUseId);
  else if (isOwnTool((fact.data as ToolCalled).name)) {
    state.ownCalls.push([toolUseId, (fact.data as ToolCalled).name]);
    keepNewest(state.ownCalls, OWN_CALLS_MAX);
  }
}

function worked(state: CursorsState, { agent }: Fact): void {
  if (agent === null) state.worked = state.prompts.at(-1)?.id ?? null;
}

function wait(state: CursorsState, { id, type }: Fact): void {
  state.untraced[id] = type;
  dropOldest(state.untraced, UNTRACED_MAX);
}

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
  // Advice to the compaction answers nothing.
  if (data.event === 'PreCompact') {
    if (state.shown !== null) state.shown = keys.slice(-INJECTED_MAX);
    return;
  }
  // A resume only reports the disk: the compaction's answer stays owed.
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
