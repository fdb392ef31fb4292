import type { ToolCalled, ToolSucceeded } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keepNewest, keyOf } from '../bounds.ts';
import { contentSummary } from '../content-summary.ts';
import type { Fact, Projection } from '../contract.ts';
import type { ContentName } from '../file-text.ts';
import { linesChanged } from '../lines-changed.ts';
import { answerText, fileOf, isObject, textOf } from '../tools-text.ts';
import { contentSeen, hashed, type KnownContent } from './file-seen.ts';

export type { KnownContent } from './file-seen.ts';

export type FileAction = 'read' | 'edited' | 'created' | 'written';

export interface FileRecord {
  path: string;
  reads: number;
  /** Changes, of whatever kind. */
  edits: number;
  /** Of these, the ones that wrote it whole. */
  writes: number;
  lastAction: FileAction;
  /** Of its last successful touch, reads included. */
  lastTool: string;
  /** Of its last successful touch. */
  lastAt: number;
  lastSeq: number;
  /** Of its last change; null while it was only read. */
  changedSeq: number | null;
  linesAdded: number;
  linesRemoved: number;
  /** Sub-agents that touched it, the newest; '' is the main thread. */
  agents: string[];
  /** What was in it when the journal last saw all of it; null where that cannot be said. */
  known: KnownContent | null;
  /** What it is about, in its own words; empty where that is not known. */
  summary: string;
}

/** One change of a file, by a tool. */
export interface FileChange {
  path: string;
  seq: number;
  at: number;
  tool: string;
  /** A sub-agent's id; null is the main thread. */
  agent: string | null;
}

export interface OpenFileCall {
  action: FileAction;
  path: string;
  tool: string;
  /** Of the text that it writes; null where it writes none. */
  lines: number | null;
  /** What it writes, if that is known. */
  content: ContentName | null;
  summary: string;
}

export interface FilesState {
  /** By path, last touched last. */
  files: Record<string, FileRecord>;
  /** Calls without an outcome yet, by tool use id. */
  open: Record<string, OpenFileCall>;
  /** Who changed what, the newest last. */
  changes: FileChange[];
  /** Files left out because there were too many: the ones touched longest ago. */
  dropped: number;
}

export const FILES_MAX = 1200;
/** Of all paths together. */
const PATHS_CHARS_MAX = 75_000;
export const PATH_CHARS = 1000;
export const CHANGES_MAX = 300;
/** In the log of changes a longer path is cut. */
const CHANGED_PATH_CHARS = 200;
const TOOL_CHARS = 40;
const OPEN_MAX = 200;
const OPEN_CHARS_MAX = 20_000;
const AGENTS_MAX = 3;
const AGENT_CHARS = 20;
const ACTIONS = new Map<string, FileAction>([
  ['Read', 'read'],
  ['Edit', 'edited'],
  ['MultiEdit', 'edited'],
  ['NotebookEdit', 'edited'],
  ['Write', 'written'],
]);

/** Which files the agent's file tools touched, and how. */
export const files: Projection<FilesState> = {
  name: 'files',
  version: 4,
  scope: 'session',
  types: ['tool.called', 'tool.succeeded', 'tool.failed'],
  initial: () => ({ files: {}, open: {}, changes: [], dropped: 0 }),
  apply(state, fact) {
    if (fact.type === 'tool.called') called(state, fact as Fact<ToolCalled>);
    else finished(state, fact as Fact<ToolSucceeded>);
    return state;
  },
};

function called(state: FilesState, { data }: Fact<ToolCalled>): void {
  const path = fileOf(data.input);
  const action = ACTIONS.get(data.name);
  if (path === undefined || action === undefined) return;
  const content = isObject(data.input) && action === 'written' ? data.input.content : undefined;
  const written = textOf(content);
  state.open[keyOf(data.toolUseId)] = {
    action,
    path: headOf(path, PATH_CHARS),
    tool: headOf(data.name, TOOL_CHARS),
    lines: written === undefined ? null : linesOf(written),
    // Of a text that went to a blob only the head is at hand.
    content: typeof content === 'string' ? hashed(content) : null,
    summary: written === undefined ? '' : contentSummary(path, written),
  };
  dropOldest(state.open, OPEN_MAX, OPEN_CHARS_MAX);
}

function finished(state: FilesState, fact: Fact<ToolSucceeded>): void {
  const open = fieldOf(state.open, fact.data.toolUseId);
  if (open === undefined) return;
  delete state.open[keyOf(fact.data.toolUseId)];
  if (fact.type === 'tool.succeeded') touched(state, open, fact);
}

function touched(state: FilesState, open: OpenFileCall, fact: Fact<ToolSucceeded>): void {
  const { response } = fact.data;
  const action = open.action === 'written' && isCreation(response) ? 'created' : open.action;
  const record = fieldOf(state.files, open.path) ?? newRecord(open.path, action);
  const isRead = action === 'read';
  record.reads += isRead ? 1 : 0;
  record.edits += isRead ? 0 : 1;
  record.writes += open.action === 'written' ? 1 : 0;
  record.lastTool = open.tool;
  // A later look at a file that was changed does not make it one that was only read.
  if (!isRead || record.edits === 0) record.lastAction = action;
  // A new file is all new lines; otherwise only the client's patch tells.
  const [added, removed] = action === 'created' ? [open.lines ?? 0, 0] : linesChanged(response);
  record.linesAdded += added;
  record.linesRemoved += removed;
  record.lastAt = fact.at;
  record.lastSeq = fact.seq;
  learn(record, open, fact);
  const agent = headOf(fact.agent ?? '', AGENT_CHARS);
  if (!isRead) {
    record.changedSeq = fact.seq;
    const { seq, at } = fact;
    const path = headOf(open.path, CHANGED_PATH_CHARS);
    state.changes.push({ path, seq, at, tool: open.tool, agent: agent === '' ? null : agent });
    keepNewest(state.changes, CHANGES_MAX);
  }
  record.agents = [...record.agents.filter((one) => one !== agent), agent].slice(-AGENTS_MAX);
  const key = keyOf(open.path);
  const isNew = !Object.hasOwn(state.files, key);
  delete state.files[key];
  state.files[key] = record;
  if (isNew) state.dropped += dropOldest(state.files, FILES_MAX, PATHS_CHARS_MAX);
}

/** What the call tells of what is in the file now. */
function learn(record: FileRecord, open: OpenFileCall, fact: Fact<ToolSucceeded>): void {
  const { seq, at } = fact;
  if (open.action === 'written') {
    record.known = open.content && { ...open.content, seq, at };
    record.summary = open.summary;
    return;
  }
  const seen = contentSeen(open.tool, fact.data.response, record.known !== null);
  if (seen === undefined) return;
  const { content, text } = seen;
  const isNews = content === null || content.hash !== record.known?.hash;
  record.known = content && { ...content, seq, at };
  if (isNews && text !== undefined) record.summary = contentSummary(open.path, text);
}

/** The client says so in its structure, or in words where it keeps no structure (sub-agents' transcripts). */
const isCreation = (response: unknown): boolean =>
  isObject(response) && response.type !== undefined
    ? response.type === 'create'
    : /^File created successfully\b/.test(answerText(response));

const linesOf = (text: string): number =>
  text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const newRecord = (path: string, lastAction: FileAction): FileRecord => ({
  path,
  reads: 0,
  edits: 0,
  writes: 0,
  lastAction,
  lastTool: '',
  lastAt: 0,
  lastSeq: 0,
  changedSeq: null,
  linesAdded: 0,
  linesRemoved: 0,
  agents: [],
  known: null,
  summary: '',
});
