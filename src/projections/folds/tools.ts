import type { ToolCalled, ToolFailed, ToolSucceeded } from '../../events/types.ts';
import { fieldOf, headOf, keepNewestWithin, keyOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';
import { type Asked, askedOf } from '../outcome/command.ts';
import type { Verdict } from '../outcome/judge.ts';
import { outcomeOf } from '../outcome/of-call.ts';
import { aboutOf, answerText, isOwnTool, textOf } from '../tools-text.ts';
import { mainPosition, REWINDING, rewoundTo } from './rewind.ts';

export interface ToolRun {
  toolUseId: string;
  name: string;
  /** Its command, file, pattern or question, shortened. */
  about: string;
  agent: string | null;
  at: number;
  seq: number;
  outcome: 'open' | Verdict;
  /** Something in it failed, if not all. */
  hasFailed: boolean;
  /** Of an open shell command: what it runs. */
  asked: Asked | null;
  /** Of a failure why, else the result. */
  line: string;
  /** Of the result's event. */
  outcomeSeq: number | null;
  exitCode: number | null;
  /** Start of its output, and the end of a long one: errors stand at either end. */
  head: string;
  tail: string;
  /** Byte offset of the call in the main thread's transcript; for a sub-agent, of the main thread's call before its first. */
  pos: number | null;
  /** A rewind took the agent back to before it: it ran, but the agent does not know. */
  abandoned: boolean;
}

export interface ToolsState {
  /** The newest, oldest first. */
  runs: ToolRun[];
  counts: Record<string, { calls: number; failures: number }>;
  total: number;
  failures: number;
}

const RUNS_MAX = 400;
const RUNS_CHARS_MAX = 200_000;
const ABOUT_CHARS = 400;
const HEAD_CHARS = 400;
const TAIL_CHARS = 400;
const LINE_CHARS = 240;
const NAMES_MAX = 200;
const NAME_CHARS = 200;
const OTHERS = '(others)';

/** What the agent ran: the newest runs one by one, all as counts. */
export const tools: Projection<ToolsState> = {
  name: 'tools',
  version: 7,
  scope: 'session',
  types: ['tool.called', 'tool.succeeded', 'tool.failed', ...REWINDING],
  initial: () => ({ runs: [], counts: {}, total: 0, failures: 0 }),
  apply(state, fact) {
    const to = rewoundTo(fact);
    if (to !== undefined) abandon(state, to);
    if (fact.type === 'tool.called') called(state, fact as Fact<ToolCalled>);
    else if (fact.type.startsWith('tool.')) ended(state, fact as Fact<ToolSucceeded | ToolFailed>);
    return state;
  },
};

/** @param to last byte offset on the live branch */
function abandon(state: ToolsState, to: number): void {
  for (const run of state.runs) if (run.pos !== null && run.pos > to) run.abandoned = true;
}

function called(state: ToolsState, fact: Fact<ToolCalled>): void {
  const { data, agent, at, seq } = fact;
  const { toolUseId } = data;
  const name = headOf(data.name, NAME_CHARS);
  state.total += 1;
  countOf(state, name).calls += 1;
  const whole = aboutOf(data.input);
  const about = headOf(whole, ABOUT_CHARS);
  const asked = name === 'Bash' ? askedOf(whole) : null;
  const branch = agent === null ? { pos: mainPosition(fact) } : branchOf(state, agent);
  const none = { line: '', outcomeSeq: null, exitCode: null, head: '', tail: '' };
  const rest = { outcome: 'open', hasFailed: false, asked, ...none, abandoned: false } as const;
  state.runs.push({ toolUseId, name, about, agent, at, seq, ...rest, ...branch });
  keepNewestWithin(state.runs, RUNS_MAX, RUNS_CHARS_MAX, charsOf);
}

const charsOf = ({ toolUseId, name, about, agent, head, tail }: ToolRun): number =>
  toolUseId.length + name.length + about.length + (agent?.length ?? 0) + head.length + tail.length;

/** A sub-agent works on the branch that started it. */
function branchOf({ runs }: ToolsState, agent: string): Pick<ToolRun, 'pos'> & Partial<ToolRun> {
  const own = runs.findLast((run) => run.agent === agent);
  if (own !== undefined) return { pos: own.pos, abandoned: own.abandoned };
  return { pos: runs.findLast((run) => run.agent === null)?.pos ?? null };
}

function countOf(state: ToolsState, name: string): { calls: number; failures: number } {
  const known = fieldOf(state.counts, name);
  if (known !== undefined) return known;
  const key = Object.keys(state.counts).length >= NAMES_MAX ? OTHERS : keyOf(name);
  const count = fieldOf(state.counts, key) ?? { calls: 0, failures: 0 };
  state.counts[key] = count;
  return count;
}

/** Results follow their calls closely, so search from the end. */
const runOf = (state: ToolsState, toolUseId: string): ToolRun | undefined =>
  state.runs.findLast((run) => run.toolUseId === toolUseId);

/** Their answers repeat file contents. */
const FILE_TOOLS = new Set(['Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

function ended(state: ToolsState, fact: Fact<ToolSucceeded | ToolFailed>): void {
  const isError = fact.type === 'tool.failed';
  const run = runOf(state, fact.data.toolUseId);
  const { verdict, hasFailed, exitCode, cause } = outcomeOf(fact, run?.asked ?? null);
  if (hasFailed) state.failures += 1;
  if (run === undefined) return;
  if (hasFailed) countOf(state, run.name).failures += 1;
  Object.assign(run, { outcome: verdict, hasFailed, outcomeSeq: fact.seq, exitCode, asked: null });
  if (isOwnTool(run.name) || (!isError && FILE_TOOLS.has(run.name))) return;
  run.line = headOf(cause, LINE_CHARS);
  const { response, error } = fact.data as ToolSucceeded & ToolFailed;
  setText(run, isError ? (textOf(error) ?? '') : answerText(response));
}

function setText(run: ToolRun, text: string): void {
  run.head = headOf(text, HEAD_CHARS);
  // No overlap with the head.
  run.tail = text.slice(Math.max(HEAD_CHARS, text.length - TAIL_CHARS)).toWellFormed();
}
