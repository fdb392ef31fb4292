import type { ToolCalled, ToolFailed, ToolSucceeded } from '../../events/types.ts';
import { type Fact, headOf, keepNewest, keyOf, type Projection } from '../contract.ts';
import { aboutOf, answerText, isOwnTool } from '../tools-text.ts';

export interface ToolRun {
  toolUseId: string;
  name: string;
  /** The command, file, pattern or question, shortened. */
  about: string;
  agent: string | null;
  at: number;
  seq: number;
  outcome: 'open' | 'ok' | 'failed';
  /** Of its outcome's event. */
  outcomeSeq: number | null;
  /** Of a shell command: 0 when it succeeded. */
  exitCode: number | null;
  /** How its answer starts, and how it ends when it is long: errors stand at either end. */
  head: string;
  tail: string;
}

export interface ToolsState {
  /** Oldest first; the newest are kept. */
  runs: ToolRun[];
  counts: Record<string, { calls: number; failures: number }>;
  total: number;
  failures: number;
}

const RUNS_MAX = 400;
const ABOUT_CHARS = 400;
const HEAD_CHARS = 400;
const TAIL_CHARS = 400;
const NAMES_MAX = 500;

/** What the agent ran, with outcomes: the newest runs one by one, all of them as counts. */
export const tools: Projection<ToolsState> = {
  name: 'tools',
  version: 1,
  scope: 'session',
  types: ['tool.called', 'tool.succeeded', 'tool.failed'],
  initial: () => ({ runs: [], counts: {}, total: 0, failures: 0 }),
  apply(state, fact) {
    if (fact.type === 'tool.called') called(state, fact as Fact<ToolCalled>);
    else if (fact.type === 'tool.succeeded') succeeded(state, fact as Fact<ToolSucceeded>);
    else failed(state, fact as Fact<ToolFailed>);
    return state;
  },
};

function called(state: ToolsState, { data, agent, at, seq }: Fact<ToolCalled>): void {
  const { toolUseId } = data;
  const name = keyOf(data.name);
  state.total += 1;
  const known = Object.hasOwn(state.counts, name) || Object.keys(state.counts).length < NAMES_MAX;
  const key = known ? name : '(others)';
  const count = Object.hasOwn(state.counts, key) ? state.counts[key]! : { calls: 0, failures: 0 };
  state.counts[key] = { ...count, calls: count.calls + 1 };
  const about = headOf(aboutOf(data.input), ABOUT_CHARS);
  const rest = { outcomeSeq: null, exitCode: null, head: '', tail: '' };
  state.runs.push({ toolUseId, name, about, agent, at, seq, outcome: 'open', ...rest });
  keepNewest(state.runs, RUNS_MAX);
}

/** Outcomes come soon after their calls, so the search is from the end. */
const runOf = (state: ToolsState, toolUseId: string): ToolRun | undefined =>
  state.runs.findLast((run) => run.toolUseId === toolUseId);

function succeeded(state: ToolsState, { data, seq }: Fact<ToolSucceeded>): void {
  const run = runOf(state, data.toolUseId);
  if (run === undefined) return;
  run.outcome = 'ok';
  run.outcomeSeq = seq;
  if (run.name === 'Bash') run.exitCode = 0;
  if (!isOwnTool(run.name) && !FILE_TOOLS.has(run.name)) setText(run, answerText(data.response));
}

/** Their answers repeat file contents, which the file itself says better. */
const FILE_TOOLS = new Set(['Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

function failed(state: ToolsState, { data, seq }: Fact<ToolFailed>): void {
  state.failures += 1;
  const run = runOf(state, data.toolUseId);
  if (run === undefined) return;
  const count = state.counts[run.name];
  if (count !== undefined) count.failures += 1;
  run.outcome = 'failed';
  run.outcomeSeq = seq;
  run.exitCode = data.exitCode ?? null;
  setText(run, data.error);
}

function setText(run: ToolRun, text: string): void {
  run.head = headOf(text, HEAD_CHARS);
  run.tail = text.length > HEAD_CHARS ? text.slice(-TAIL_CHARS).toWellFormed() : '';
}
