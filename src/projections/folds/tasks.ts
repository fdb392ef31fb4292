import type { ToolCalled, ToolSucceeded } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keepNewestWithin, keyOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';
import { answerText, isObject, stringOf } from '../tools-text.ts';
import { mainPosition, REWINDING, rewoundTo } from './rewind.ts';

type TaskStatus = 'pending' | 'in_progress' | 'completed' | 'deleted';

export interface Task {
  id: string;
  subject: string;
  description: string;
  status: TaskStatus;
  /** Of its last change, as `seq`. */
  at: number;
  seq: number;
}

interface TaskCall {
  name: string;
  /** TodoWrite has one for each todo, the others one. */
  fields: Record<string, string>[];
}

/** What a change replaced, for rewinds. */
interface TaskChange {
  /** Byte offset of the change in the main thread's transcript. */
  pos: number;
  /** By key; null for a task that did not exist. */
  before: Record<string, Task | null>;
  /** `before` is the whole list. */
  whole: boolean;
}

export interface TasksState {
  tasks: Record<string, Task>;
  /** Calls without a result, by tool use id. */
  open: Record<string, TaskCall>;
  /** Oldest first. */
  changes: TaskChange[];
}

const TASKS_MAX = 150;
const SUBJECT_CHARS = 200;
const DESCRIPTION_CHARS = 300;
const ID_CHARS = 50;
const OPEN_MAX = 100;
const OPEN_CHARS_MAX = 10_000;
/** A rewind spans some prompts, each with a few changes. */
const CHANGES_MAX = 200;
const CHANGES_CHARS_MAX = 60_000;
const FIELDS: Record<string, number> = {
  id: ID_CHARS,
  taskId: ID_CHARS,
  subject: SUBJECT_CHARS,
  content: SUBJECT_CHARS,
  description: DESCRIPTION_CHARS,
  status: ID_CHARS,
};
export const isOpen = ({ status }: Task): boolean =>
  status === 'pending' || status === 'in_progress';
export const isDone = ({ status }: Task): boolean => status === 'completed';

const STATUSES: readonly string[] = ['pending', 'in_progress', 'completed', 'deleted'];

const TASK_TOOLS = new Set(['TaskCreate', 'TaskUpdate', 'TodoWrite']);

/** The client's task list: TaskCreate and TaskUpdate, or TodoWrite for the whole list (older clients). */
export const tasks: Projection<TasksState> = {
  name: 'tasks',
  version: 3,
  scope: 'session',
  types: ['tool.called', 'tool.succeeded', 'tool.failed', ...REWINDING],
  initial: () => ({ tasks: {}, open: {}, changes: [] }),
  apply(state, fact) {
    const to = rewoundTo(fact);
    if (to !== undefined) rewind(state, to);
    if (fact.type === 'tool.called') called(state, fact as Fact<ToolCalled>);
    else if (fact.type.startsWith('tool.')) finished(state, fact as Fact<ToolSucceeded>);
    return state;
  },
};

/** @param to last byte offset on the live branch */
function rewind(state: TasksState, to: number): void {
  while (state.changes.length > 0 && state.changes.at(-1)!.pos > to) {
    const { before, whole } = state.changes.pop()!;
    if (whole) state.tasks = {};
    for (const [key, task] of Object.entries(before)) {
      if (task === null) delete state.tasks[key];
      else state.tasks[key] = task;
    }
  }
}

/** Call it before a change. */
function remember(state: TasksState, fact: Fact, before: TaskChange['before'], whole: boolean) {
  const pos = mainPosition(fact);
  if (pos === null) return;
  state.changes.push({ pos, before, whole });
  keepNewestWithin(state.changes, CHANGES_MAX, CHANGES_CHARS_MAX, (change) =>
    Object.values(change.before).reduce((sum, task) => sum + charsOf(task), 0),
  );
}

const charsOf = (task: Task | null): number =>
  task === null ? 0 : task.id.length * 2 + task.subject.length + task.description.length;

function called(state: TasksState, { data, agent }: Fact<ToolCalled>): void {
  const { name, input, toolUseId } = data;
  if (!TASK_TOOLS.has(name) || !isObject(input)) return;
  // Sub-agents share tasks but have todos of their own.
  if (name === 'TodoWrite' && agent !== null) return;
  const todos = Array.isArray(input.todos) ? input.todos : [];
  const asked = name === 'TodoWrite' ? todos.filter(isObject).slice(0, TASKS_MAX) : [input];
  // A new list replaces the one before, and is large.
  if (name === 'TodoWrite') {
    for (const [id, call] of Object.entries(state.open))
      if (call.name === name) delete state.open[id];
  }
  state.open[keyOf(toolUseId)] = { name, fields: asked.map(shortened) };
  dropOldest(state.open, OPEN_MAX, OPEN_CHARS_MAX);
}

function shortened(from: Record<string, unknown>): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [key, chars] of Object.entries(FIELDS)) {
    const text = stringOf(from[key]);
    if (text !== undefined) picked[key] = headOf(text, chars);
  }
  return picked;
}

/** The ids of the tasks that a result is about. Call it before folding the result. */
export function tasksOf({ open }: TasksState, { data }: Fact<ToolSucceeded>): string[] {
  const call = fieldOf(open, data.toolUseId);
  if (call === undefined) return [];
  return call.name === 'TodoWrite'
    ? call.fields.map(todoId)
    : [idOf(call, data)].filter((id) => id !== undefined);
}

function finished(state: TasksState, fact: Fact<ToolSucceeded>): void {
  const call = fieldOf(state.open, fact.data.toolUseId);
  if (call === undefined) return;
  delete state.open[keyOf(fact.data.toolUseId)];
  if (fact.type !== 'tool.succeeded') return;
  if (call.name === 'TodoWrite') replaceAll(state, call.fields, fact);
  else update(state, call, fact);
}

function update(state: TasksState, call: TaskCall, fact: Fact<ToolSucceeded>): void {
  const [asked = {}] = call.fields;
  const id = idOf(call, fact.data);
  if (id === undefined) return;
  const known = fieldOf(state.tasks, id);
  const status = statusOf(asked.status) ?? known?.status ?? 'pending';
  if (status === 'deleted') {
    remember(state, fact, { ...state.tasks }, true);
    delete state.tasks[keyOf(id)];
    return;
  }
  const subject = asked.subject ?? known?.subject ?? '';
  const description = asked.description ?? known?.description ?? '';
  remember(state, fact, { [keyOf(id)]: known ?? null }, false);
  put(state, { id, subject, description, status, at: fact.at, seq: fact.seq });
}

function put(state: TasksState, task: Task): void {
  state.tasks[keyOf(task.id)] = task;
  const all = Object.entries(state.tasks);
  if (all.length <= TASKS_MAX) return;
  // Completed tasks are dropped first.
  const [least] = all.find(([, { status }]) => status === 'completed') ?? all[0]!;
  delete state.tasks[least];
}

const statusOf = (value: string | undefined): TaskStatus | undefined =>
  value !== undefined && STATUSES.includes(value) ? (value as TaskStatus) : undefined;

const idOf = ({ name, fields }: TaskCall, { response }: ToolSucceeded): string | undefined =>
  name === 'TaskCreate' ? createdId(response) : fields[0]?.taskId;

/** The new task's id, in the client's structure or in words. */
function createdId(response: unknown): string | undefined {
  const task = isObject(response) && isObject(response.task) ? response.task : {};
  const id = stringOf(task.id) ?? /Task #(\w+)/.exec(answerText(response))?.[1];
  return id === undefined ? undefined : headOf(id, ID_CHARS);
}

/** Newer clients send todos without ids. */
const todoId = ({ id }: Record<string, string>, index: number): string => id ?? String(index + 1);

function replaceAll(state: TasksState, todos: readonly Record<string, string>[], fact: Fact): void {
  const { at, seq } = fact;
  remember(state, fact, state.tasks, true);
  state.tasks = {};
  for (const [index, todo] of todos.entries()) {
    const status = statusOf(todo.status) ?? 'pending';
    const id = todoId(todo, index);
    put(state, { id, subject: todo.content ?? '', description: '', status, at, seq });
  }
}
