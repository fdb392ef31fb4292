import type { ToolCalled, ToolSucceeded } from '../../events/types.ts';
import { type Fact, headOf, keyOf, type Projection } from '../contract.ts';
import { answerText, isObject, stringOf } from '../tools-text.ts';

export type TaskStatus = 'pending' | 'in_progress' | 'completed' | 'deleted';

export interface Task {
  id: string;
  subject: string;
  description: string;
  status: TaskStatus;
  /** Of its last change. */
  at: number;
  seq: number;
}

export interface TasksState {
  /** By the client's task id. */
  tasks: Record<string, Task>;
  /** Calls without an outcome yet: tool use id to what it asked for. */
  open: Record<string, { name: string; input: Record<string, unknown> }>;
}

type Todo = Record<string, string>;

const TASKS_MAX = 500;
const TEXT_CHARS = 500;
const STATUSES: readonly string[] = ['pending', 'in_progress', 'completed', 'deleted'];

/** The client's task list: TaskCreate and TaskUpdate one by one, or TodoWrite as a whole (older clients). */
export const tasks: Projection<TasksState> = {
  name: 'tasks',
  version: 1,
  scope: 'session',
  types: ['tool.called', 'tool.succeeded', 'tool.failed'],
  initial: () => ({ tasks: {}, open: {} }),
  apply(state, fact) {
    const { name, input } = fact.data as ToolCalled;
    const toolUseId = keyOf((fact.data as ToolCalled).toolUseId);
    if (fact.type === 'tool.called') {
      if (/^(?:TaskCreate|TaskUpdate|TodoWrite)$/.test(name) && isObject(input)) {
        state.open[toolUseId] = { name, input: shortened(name, input) };
      }
      return state;
    }
    const open = state.open[toolUseId];
    delete state.open[toolUseId];
    if (open === undefined || fact.type !== 'tool.succeeded') return state;
    if (open.name === 'TodoWrite') replaceAll(state, open.input.todos as Todo[], fact);
    else finished(state, open, fact as Fact<ToolSucceeded>);
    return state;
  },
};

function shortened(name: string, input: Record<string, unknown>): Record<string, unknown> {
  if (name === 'TodoWrite') {
    const todos = Array.isArray(input.todos) ? input.todos.slice(0, TASKS_MAX) : [];
    return { todos: todos.filter(isObject).map((todo) => pick(todo, ['id', 'content', 'status'])) };
  }
  return pick(input, ['taskId', 'subject', 'description', 'status']);
}

function pick(from: Record<string, unknown>, keys: string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const key of keys) {
    const text = stringOf(from[key]);
    if (text !== undefined) picked[key] = headOf(text, TEXT_CHARS);
  }
  return picked;
}

function finished(
  state: TasksState,
  { name, input }: { name: string; input: Record<string, unknown> },
  fact: Fact<ToolSucceeded>,
): void {
  const given = name === 'TaskCreate' ? createdId(fact.data.response) : stringOf(input.taskId);
  if (given === undefined) return;
  const id = keyOf(given);
  const known = Object.hasOwn(state.tasks, id) ? state.tasks[id] : undefined;
  const status = stringOf(input.status);
  state.tasks[id] = {
    id,
    subject: stringOf(input.subject) ?? known?.subject ?? '',
    description: stringOf(input.description) ?? known?.description ?? '',
    status: statusOf(status) ?? known?.status ?? 'pending',
    at: fact.at,
    seq: fact.seq,
  };
  if (state.tasks[id].status === 'deleted') delete state.tasks[id];
  const ids = Object.keys(state.tasks);
  if (ids.length > TASKS_MAX)
    delete state.tasks[ids.find((one) => state.tasks[one]!.status === 'completed') ?? ids[0]!];
}

const statusOf = (value: string | undefined): TaskStatus | undefined =>
  value !== undefined && STATUSES.includes(value) ? (value as TaskStatus) : undefined;

/** The client says the new task's id in its structure, or in words. */
function createdId(response: unknown): string | undefined {
  if (isObject(response) && isObject(response.task)) return stringOf(response.task.id);
  return /Task #(\w+)/.exec(answerText(response))?.[1];
}

function replaceAll(state: TasksState, todos: Todo[], fact: Fact): void {
  state.tasks = {};
  todos.forEach((todo, index) => {
    const id = keyOf(todo.id ?? String(index + 1));
    const status = statusOf(todo.status) ?? 'pending';
    state.tasks[id] = {
      id,
      subject: todo.content ?? '',
      description: '',
      status,
      at: fact.at,
      seq: fact.seq,
    };
  });
}
