import type { ToolCalled, ToolFailed, ToolSucceeded } from '../events/types.ts';
import { dropOldest, fieldOf, headOf, keyOf } from './bounds.ts';
import type { Fact } from './contract.ts';
import { askedOf, runsIn } from './outcome/command.ts';
import { outcomeOf } from './outcome/of-call.ts';
import type { Run } from './outcome/run.ts';
import { aboutOf, fileOf, isObject } from './tools-text.ts';

interface Mark {
  /** How many calls the main thread had made. */
  call: number;
  seq: number;
}

/** Where the work of a session stands, by its newest calls. */
export interface WorkMarks {
  calls: number;
  edit: Mark | null;
  /** Of a run of tests. */
  test: (Mark & { hasPassed: boolean }) | null;
  /** A commit, a pull request, or a todo that was done. */
  done: (Mark & { what: 'commit' | 'pr' | 'todo' }) | null;
  /** Of the newest list. */
  todosDone: number;
  /** A command that failed, until one passes. */
  failed: Mark | null;
  isPlanning: boolean;
  /** Calls without an outcome: their commands. */
  running: Record<string, string>;
}

const RUNNING_MAX = 20;
const COMMAND_CHARS = 2000;
const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
/** A word of what runs: `vitest`, `npm test`, `test:unit`, `./run-tests.sh`. */
const TEST =
  /(?:^|[-_:/.])(?:tests?|specs?|vitest|jest|pytest|unittest|mocha|phpunit|rspec|tox|ctest)(?:[-_:.]|$)/i;
const WORDS_OF_RUN = 3;
/** Where the client lets a plan be written in plan mode, which a user can begin without a call. */
const PLAN_FILE = /[/\\]\.claude[/\\]plans[/\\]/;

export const noMarks = (): WorkMarks => ({
  calls: 0,
  edit: null,
  test: null,
  done: null,
  todosDone: 0,
  failed: null,
  isPlanning: false,
  running: {},
});

export function callBegan(marks: WorkMarks, { agent, seq, data }: Fact<ToolCalled>): void {
  if (agent !== null) return;
  const { name, input, toolUseId } = data;
  marks.calls += 1;
  const mark = { call: marks.calls, seq };
  if (EDITS.has(name) && PLAN_FILE.test(fileOf(input) ?? '')) marks.isPlanning = true;
  else if (EDITS.has(name)) Object.assign(marks, { edit: mark, isPlanning: false });
  if (name === 'EnterPlanMode' || name === 'ExitPlanMode')
    marks.isPlanning = name === 'EnterPlanMode';
  if (isOneMoreDone(marks, name, input)) marks.done = { ...mark, what: 'todo' };
  if (name !== 'Bash') return;
  marks.running[keyOf(toolUseId)] = headOf(aboutOf(input), COMMAND_CHARS);
  dropOldest(marks.running, RUNNING_MAX);
}

/** Whether a call says so. */
function isOneMoreDone(marks: WorkMarks, name: string, input: unknown): boolean {
  if (!isObject(input)) return false;
  if (name === 'TaskUpdate') return input.status === 'completed';
  const { todos } = input;
  if (name !== 'TodoWrite' || !Array.isArray(todos)) return false;
  const before = marks.todosDone;
  marks.todosDone = todos.filter(isCompleted).length;
  return marks.todosDone > before;
}

const isCompleted = (todo: unknown): boolean => isObject(todo) && todo.status === 'completed';

export function callEnded(marks: WorkMarks, fact: Fact<ToolSucceeded | ToolFailed>): void {
  const { agent, seq, type, data } = fact;
  const command = fieldOf(marks.running, data.toolUseId);
  if (agent !== null || command === undefined) return;
  delete marks.running[keyOf(data.toolUseId)];
  const { verdict } = outcomeOf({ type, data }, askedOf(command));
  const mark = { call: marks.calls, seq };
  const runs = runsIn(command);
  if (runs.some(({ words }) => words.slice(0, WORDS_OF_RUN).some((word) => TEST.test(word))))
    marks.test = { ...mark, hasPassed: verdict === 'passed' };
  if (verdict === 'passed') {
    marks.failed = null;
    const what = runs.map(doneBy).find((one) => one !== undefined);
    if (what !== undefined) marks.done = { ...mark, what };
  } else if (verdict === 'failed' || verdict === 'partial') marks.failed = mark;
}

/** The words of a run are in no order. */
function doneBy({ words: [program, ...words] }: Run): 'commit' | 'pr' | undefined {
  const says = (...all: string[]) => all.every((word) => words.includes(word));
  if (program === 'git' && says('commit')) return 'commit';
  const isMade =
    (program === 'gh' && says('pr', 'create')) || (program === 'glab' && says('mr', 'create'));
  return isMade ? 'pr' : undefined;
}
