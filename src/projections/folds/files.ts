import type { ToolCalled, ToolSucceeded } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keyOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';
import { linesChanged } from '../lines-changed.ts';
import { answerText, fileOf, isObject, textOf } from '../tools-text.ts';

export type FileAction = 'read' | 'edited' | 'created' | 'written';

export interface FileRecord {
  path: string;
  reads: number;
  edits: number;
  lastAction: FileAction;
  /** Of its last successful touch. */
  lastAt: number;
  lastSeq: number;
  /** Of its last change; null while it was only read. */
  changedSeq: number | null;
  linesAdded: number;
  linesRemoved: number;
  /** Sub-agents that touched it, the newest; '' is the main thread. */
  agents: string[];
}

export interface OpenFileCall {
  action: FileAction;
  path: string;
  /** Of the text that it writes; null where it writes none. */
  lines: number | null;
}

export interface FilesState {
  /** By path, last touched last. */
  files: Record<string, FileRecord>;
  /** Calls without an outcome yet, by tool use id. */
  open: Record<string, OpenFileCall>;
  /** Files left out because there were too many: the ones touched longest ago. */
  dropped: number;
}

const FILES_MAX = 2000;
/** Of all paths together. */
const PATHS_CHARS_MAX = 120_000;
const PATH_CHARS = 1000;
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
  version: 3,
  scope: 'session',
  types: ['tool.called', 'tool.succeeded', 'tool.failed'],
  initial: () => ({ files: {}, open: {}, dropped: 0 }),
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
  const written = isObject(data.input) ? textOf(data.input.content) : undefined;
  const lines = action === 'written' && written !== undefined ? linesOf(written) : null;
  state.open[keyOf(data.toolUseId)] = { action, path: headOf(path, PATH_CHARS), lines };
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
  // A later look at a file that was changed does not make it one that was only read.
  if (!isRead || record.edits === 0) record.lastAction = action;
  // A new file is all new lines; otherwise only the client's patch tells.
  const [added, removed] = action === 'created' ? [open.lines ?? 0, 0] : linesChanged(response);
  record.linesAdded += added;
  record.linesRemoved += removed;
  record.lastAt = fact.at;
  record.lastSeq = fact.seq;
  if (!isRead) record.changedSeq = fact.seq;
  const agent = headOf(fact.agent ?? '', AGENT_CHARS);
  record.agents = [...record.agents.filter((one) => one !== agent), agent].slice(-AGENTS_MAX);
  const key = keyOf(open.path);
  const isNew = !Object.hasOwn(state.files, key);
  delete state.files[key];
  state.files[key] = record;
  if (isNew) state.dropped += dropOldest(state.files, FILES_MAX, PATHS_CHARS_MAX);
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
  lastAction,
  lastAt: 0,
  lastSeq: 0,
  changedSeq: null,
  linesAdded: 0,
  linesRemoved: 0,
  agents: [],
});
