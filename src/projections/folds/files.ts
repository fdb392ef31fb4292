import type { ToolCalled, ToolSucceeded } from '../../events/types.ts';
import { type Fact, keyOf, type Projection } from '../contract.ts';
import { fileOf, isObject } from '../tools-text.ts';

export type FileAction = 'read' | 'edited' | 'created' | 'written';

export interface FileRecord {
  path: string;
  reads: number;
  edits: number;
  lastAction: FileAction;
  /** Of its last successful touch. */
  lastAt: number;
  lastSeq: number;
  linesAdded: number;
  linesRemoved: number;
  /** Sub-agents that touched it; '' is the main thread. */
  agents: string[];
}

export interface FilesState {
  /** By path. */
  files: Record<string, FileRecord>;
  /** Calls without an outcome yet: tool use id to path. */
  open: Record<string, string>;
  /** Files left out because there were too many: the ones touched longest ago. */
  dropped: number;
}

const FILES_MAX = 2000;
const OPEN_MAX = 500;
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
  version: 1,
  scope: 'session',
  types: ['tool.called', 'tool.succeeded', 'tool.failed'],
  initial: () => ({ files: {}, open: {}, dropped: 0 }),
  apply(state, fact) {
    if (fact.type === 'tool.called') called(state, fact as Fact<ToolCalled>);
    else if (fact.type === 'tool.succeeded') succeeded(state, fact as Fact<ToolSucceeded>);
    else delete state.open[keyOf((fact.data as ToolCalled).toolUseId)];
    return state;
  },
};

function called(state: FilesState, { data }: Fact<ToolCalled>): void {
  const path = fileOf(data.input);
  const action = ACTIONS.get(data.name);
  if (path === undefined || action === undefined) return;
  state.open[keyOf(data.toolUseId)] = `${action} ${keyOf(path)}`;
  const ids = Object.keys(state.open);
  if (ids.length > OPEN_MAX) delete state.open[ids[0]!];
}

function succeeded(state: FilesState, fact: Fact<ToolSucceeded>): void {
  const open = state.open[keyOf(fact.data.toolUseId)];
  if (open === undefined) return;
  delete state.open[keyOf(fact.data.toolUseId)];
  const cut = open.indexOf(' ');
  const path = open.slice(cut + 1);
  let action = open.slice(0, cut) as FileAction;
  const { response } = fact.data;
  if (action === 'written' && isObject(response) && response.type === 'create') action = 'created';
  const record = Object.hasOwn(state.files, path) ? state.files[path]! : newRecord(path, action);
  const [added, removed] = linesOf(response);
  record.reads += action === 'read' ? 1 : 0;
  record.edits += action === 'read' ? 0 : 1;
  record.linesAdded += added;
  record.linesRemoved += removed;
  // A later look at a file that was changed does not make it one that was only read.
  if (action !== 'read' || record.edits === 0) record.lastAction = action;
  record.lastAt = fact.at;
  record.lastSeq = fact.seq;
  const agent = fact.agent ?? '';
  if (!record.agents.includes(agent)) record.agents.push(agent);
  delete state.files[path];
  state.files[path] = record; // last touched stands last
  const paths = Object.keys(state.files);
  if (paths.length > FILES_MAX) {
    delete state.files[paths[0]!];
    state.dropped += 1;
  }
}

const newRecord = (path: string, lastAction: FileAction): FileRecord => ({
  path,
  reads: 0,
  edits: 0,
  lastAction,
  lastAt: 0,
  lastSeq: 0,
  linesAdded: 0,
  linesRemoved: 0,
  agents: [],
});

/** Lines added and removed, from the client's patch. */
function linesOf(response: unknown): [number, number] {
  if (!isObject(response) || !Array.isArray(response.structuredPatch)) return [0, 0];
  if (response.type === 'create' && typeof response.content === 'string') {
    return [response.content.split('\n').length - (response.content.endsWith('\n') ? 1 : 0), 0];
  }
  let added = 0;
  let removed = 0;
  for (const hunk of response.structuredPatch) {
    if (!isObject(hunk) || !Array.isArray(hunk.lines)) continue;
    for (const line of hunk.lines) {
      if (typeof line !== 'string') continue;
      if (line.startsWith('+')) added += 1;
      else if (line.startsWith('-')) removed += 1;
    }
  }
  return [added, removed];
}
