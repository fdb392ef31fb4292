import type {
  PromptSubmitted,
  TaskEstimated,
  ToolSucceeded,
  UsageSampled,
} from '../../events/types.ts';
import { dropOldest, headOf, keepNewest, keyOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';
import { askedIn } from '../tools-text.ts';
import { type TasksState, tasks, tasksOf } from './tasks.ts';

/** A todo or a prompt that was worked at, and by how many tokens the main context grew meanwhile. */
export interface FinishedTask {
  kind: 'task' | 'prompt';
  words: string;
  tokens: number;
  seq: number;
}

interface OpenTask {
  words: string;
  tokens: number;
}

export interface TaskSizesState {
  tasks: TasksState;
  /** In the context now, and the model's name. */
  tokens: number;
  model: string;
  /** Tasks in work, by id. */
  open: Record<string, OpenTask>;
  /** The prompt in work; `isSplit` once a task was in work, which then stands for it. */
  prompt: (OpenTask & { seq: number; isSplit: boolean }) | null;
  /** Oldest first. */
  finished: FinishedTask[];
  /** Keys of what was estimated for the model, newest last. */
  told: string[];
}

const FINISHED_MAX = 60;
const OPEN_MAX = 20;
const TOLD_MAX = 50;
const PROMPT_CHARS = 4000;
const WORDS_CHARS = 300;
/** A prompt that took less was a question. */
const PROMPT_TOKENS_MIN = 1000;

/** How large the session's tasks turned out to be. What sub-agents used is not in the main context. */
export const taskSizes: Projection<TaskSizesState> = {
  name: 'task-sizes',
  version: 2,
  scope: 'session',
  types: [...tasks.types, 'usage.sampled', 'task.estimated'],
  initial: () => ({
    ...{ tasks: tasks.initial(), tokens: 0, model: '', open: {} },
    ...{ prompt: null, finished: [], told: [] },
  }),
  apply(state, fact) {
    if (fact.type === 'usage.sampled') sampled(state, fact as Fact<UsageSampled>);
    else if (fact.type === 'task.estimated') told(state, fact as Fact<TaskEstimated>);
    else if (fact.type === 'prompt.submitted') prompted(state, fact as Fact<PromptSubmitted>);
    if (!tasks.types.includes(fact.type)) return state;
    const isResult = fact.type === 'tool.succeeded';
    const changed = isResult ? tasksOf(state.tasks, fact as Fact<ToolSucceeded>) : [];
    state.tasks = tasks.apply(state.tasks, fact);
    for (const id of changed) turned(state, id, fact.seq);
    return state;
  },
};

function told(state: TaskSizesState, { data }: Fact<TaskEstimated>): void {
  state.told.push(headOf(data.key, WORDS_CHARS));
  keepNewest(state.told, TOLD_MAX);
}

function sampled(state: TaskSizesState, { agent, data }: Fact<UsageSampled>): void {
  const tokens = data.inputTokens + data.cacheCreationTokens + data.cacheReadTokens;
  if (agent !== null || !(tokens > 0)) return;
  const grown = state.tokens === 0 ? 0 : Math.max(0, tokens - state.tokens);
  state.tokens = tokens;
  state.model = headOf(data.model ?? '', WORDS_CHARS);
  const open = Object.values(state.open);
  for (const task of open) task.tokens += grown / open.length;
  if (state.prompt !== null) state.prompt.tokens += grown;
}

function prompted(state: TaskSizesState, { agent, data, seq }: Fact<PromptSubmitted>): void {
  if (agent !== null) return;
  const { prompt } = state;
  if (prompt !== null && !prompt.isSplit && prompt.tokens >= PROMPT_TOKENS_MIN)
    finish(state, 'prompt', prompt, prompt.seq);
  const words = headOf(askedIn(data.text), PROMPT_CHARS);
  state.prompt = { words, tokens: 0, seq, isSplit: Object.keys(state.open).length > 0 };
}

/** Opens a task that is in work, and closes one that is done. */
function turned(state: TaskSizesState, id: string, seq: number): void {
  const key = keyOf(id);
  const task = state.tasks.tasks[key];
  const open = state.open[key];
  if (task?.status === 'in_progress') {
    // The list may be a new one, in which the number is another task's.
    if (open?.words !== task.subject) state.open[key] = { words: task.subject, tokens: 0 };
    dropOldest(state.open, OPEN_MAX);
    if (state.prompt !== null) state.prompt.isSplit = true;
    return;
  }
  delete state.open[key];
  if (task?.status === 'completed' && open?.words === task.subject)
    finish(state, 'task', open, seq);
}

function finish(state: TaskSizesState, kind: FinishedTask['kind'], open: OpenTask, seq: number) {
  const { words, tokens } = open;
  if (!(tokens > 0)) return;
  state.finished.push({ kind, words: headOf(words, WORDS_CHARS), tokens: Math.round(tokens), seq });
  keepNewest(state.finished, FINISHED_MAX);
}
