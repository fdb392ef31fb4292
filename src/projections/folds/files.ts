import type { ContextMerged, ToolCalled, ToolFailed, ToolSucceeded } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keepNewest, keyOf } from '../bounds.ts';
import { contentSummary } from '../content-summary.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';
import { contentSeen, hashed } from '../file-content.ts';
import { answerText, fileOf, isObject, patchLines, textOf } from '../tools-text.ts';
import type {
  FileAction,
  FileChange,
  FileRecord,
  FilesState,
  OpenFileCall,
} from './file-record.ts';

export type * from './file-record.ts';

export const FILES_MAX = 1200;
const PATHS_CHARS_MAX = 75_000;
export const PATH_CHARS = 1000;
export const CHANGES_MAX = 300;
const CHANGED_PATH_CHARS = 200;
const TOOL_CHARS = 40;
/** Recorded as the tool when a merge chose the disk. */
const BY_MERGE = '(disk)';
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

/** Whether a tool changes the file that it names. */
export const isChange = (tool: string): boolean => (ACTIONS.get(tool) ?? 'read') !== 'read';

export const files: Projection<FilesState> = {
  name: 'files',
  version: 6,
  scope: 'session',
  initial: () => ({ files: {}, open: {}, changes: [], dropped: 0 }),
  ...foldedBy<FilesState>({
    'tool.called': called,
    'tool.succeeded': finished,
    'tool.failed': finished,
    'context.merged': merged,
  }),
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
    // A blob is not read here, so its content stays unknown.
    content: typeof content === 'string' ? hashed(content) : null,
    summary: written === undefined ? '' : contentSummary(path, written),
  };
  dropOldest(state.open, OPEN_MAX, OPEN_CHARS_MAX);
}

function finished(state: FilesState, fact: Fact<ToolSucceeded | ToolFailed>): void {
  const open = fieldOf(state.open, fact.data.toolUseId);
  if (open === undefined) return;
  delete state.open[keyOf(fact.data.toolUseId)];
  if (fact.type === 'tool.succeeded') touched(state, open, fact as Fact<ToolSucceeded>);
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
  // Reading a changed file does not make it one that was only read.
  if (!isRead || record.edits === 0) record.lastAction = action;
  // A new file has only new lines; otherwise the client's patch counts them.
  const [added, removed] = action === 'created' ? [open.lines ?? 0, 0] : linesChanged(response);
  record.linesAdded += added;
  record.linesRemoved += removed;
  record.lastAt = fact.at;
  record.lastSeq = fact.seq;
  learn(record, open, fact);
  const agent = headOf(fact.agent ?? '', AGENT_CHARS);
  if (!isRead) {
    record.changedSeq = fact.seq;
    log(state, fact, { path: open.path, tool: open.tool, agent: agent === '' ? null : agent });
  }
  record.agents = [...record.agents.filter((one) => one !== agent), agent].slice(-AGENTS_MAX);
  keep(state, record);
}

/** Moves it to the end. */
function keep(state: FilesState, record: FileRecord): void {
  const key = keyOf(record.path);
  const isNew = !Object.hasOwn(state.files, key);
  delete state.files[key];
  state.files[key] = record;
  if (isNew) state.dropped += dropOldest(state.files, FILES_MAX, PATHS_CHARS_MAX);
}

function log(
  state: FilesState,
  { seq, at }: Fact,
  { path, tool, agent }: Pick<FileChange, 'path' | 'tool' | 'agent'>,
): void {
  state.changes.push({ path: headOf(path, CHANGED_PATH_CHARS), seq, at, tool, agent });
  keepNewest(state.changes, CHANGES_MAX);
}

/** Decisions on files changed from outside. They do not count as a use. */
function merged(state: FilesState, fact: Fact<ContextMerged>): void {
  const { seq, at, data } = fact;
  for (const { path, believed, hash = null, bytes = 0, movedTo } of data.files) {
    const record = fieldOf(state.files, headOf(path, PATH_CHARS));
    if (record === undefined) continue;
    record.merged = { believed, hash, seq };
    if (believed === 'journal') continue;
    log(state, fact, { path, tool: BY_MERGE, agent: null });
    record.known = hash === null ? null : { hash, bytes, seq, at };
    if (movedTo === undefined) continue;
    delete state.files[keyOf(record.path)];
    record.path = headOf(movedTo, PATH_CHARS);
    keep(state, record);
  }
}

/** It is gone from the disk, and that was accepted. */
export const isGone = ({ merged }: Pick<FileRecord, 'merged'>): boolean =>
  merged?.believed === 'disk' && merged.hash === null;

function learn(record: FileRecord, open: OpenFileCall, fact: Fact<ToolSucceeded>): void {
  const { seq, at } = fact;
  if (open.action === 'written') {
    record.merged = null;
    record.known = open.content && { ...open.content, seq, at };
    record.summary = open.summary;
    return;
  }
  const seen = contentSeen(open.tool, fact.data.response, record.known !== null);
  // A partial read shows that a missing file exists again.
  if (seen !== undefined || record.merged?.hash === null) record.merged = null;
  if (seen === undefined) return;
  const { content, text } = seen;
  const isNews = content === null || content.hash !== record.known?.hash;
  record.known = content && { ...content, seq, at };
  if (isNews && text !== undefined) record.summary = contentSummary(open.path, text);
}

/** The client says so in its structure, or in words (sub-agents' transcripts). */
const isCreation = (response: unknown): boolean =>
  isObject(response) && response.type !== undefined
    ? response.type === 'create'
    : /^File created successfully\b/.test(answerText(response));

const linesOf = (text: string): number =>
  text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** Lines added and removed, from the client's patch. */
function linesChanged(response: unknown): [number, number] {
  const hunks = isObject(response) ? response.structuredPatch : undefined;
  const lines = Array.isArray(hunks) ? patchLines(hunks) : [];
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return [count('+'), count('-')];
}

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
  merged: null,
});
