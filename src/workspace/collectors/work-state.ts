import { fatesOf } from '../../projections/file-fates.ts';
import type { ContextState } from '../../projections/folds/context.ts';
import type { WorkState } from '../../projections/folds/workspace.ts';
import { isSlight } from '../../projections/slight.ts';
import type { Work } from '../context.ts';
import type { Around, Collector } from './collector.ts';

const TASK_CHARS = 2000;
const NOTES_CHARS = 2000;
/** A layout counts what it leaves out; what exceeds this is not even counted. */
const FILES_MAX = 200;
const FILE_CHARS = 160;
const TODOS_MAX = 100;
const TODO_CHARS = 120;

/** The saved work, with what the session shows of it. One at most. */
export const workState: Collector<Work> = { timeoutMs: 500, collect: (around) => workOf(around) };

export function workOf({
  dir,
  recorded,
  clean,
}: Pick<Around, 'dir' | 'recorded' | 'clean'>): Work[] {
  const { worktree, contexts } = recorded();
  const work = worktree?.work ?? undefined;
  const newest = worked(contexts);
  const own = newest === undefined ? [] : filesOf(newest, dir);
  const task = clean(work?.taskSummary ?? taskOf(newest), TASK_CHARS);
  const notes = clean(work?.notes ?? '', NOTES_CHARS);
  // Saved files first, then what the session changed besides.
  const files = [...new Set([...(work?.workingFiles ?? []), ...own])]
    .slice(0, FILES_MAX)
    .map((file) => clean(file, FILE_CHARS));
  const todos = newerTodos(work, newest)
    .slice(0, TODOS_MAX)
    .map(({ content, status }) => ({ content: clean(content, TODO_CHARS), status }));
  if (task === '' && notes === '' && files.length + todos.length === 0) return [];
  return [{ task, saidAt: work?.saidAt ?? 0, files, notes, todos }];
}

/** The newest session with real work, not just a question; else the newest. */
function worked(contexts: Iterable<ContextState>): ContextState | undefined {
  let newest: ContextState | undefined;
  for (const one of contexts) {
    newest ??= one;
    if (!isSlight(one)) return one;
  }
  return newest;
}

/** The client's own list counts once it changed after the save; before that the saved one does. */
function newerTodos(work: WorkState | undefined, newest: ContextState | undefined): Work['todos'] {
  const saved = work?.todos ?? [];
  if (newest === undefined || saved.length === 0)
    return newest === undefined ? saved : todosOf(newest);
  const changedAt = Math.max(0, ...Object.values(newest.tasks.tasks).map(({ at }) => at));
  return changedAt > work!.at ? todosOf(newest) : saved;
}

/** Without a saved task: the todo in progress. A prompt is no task: most are half a sentence. */
const taskOf = (state: ContextState | undefined): string =>
  state === undefined
    ? ''
    : (todosOf(state).find(({ status }) => status === 'in_progress')?.content ?? '');

/** The client's task list, open ones first. */
export function todosOf({
  tasks,
}: ContextState): { content: string; status: 'pending' | 'in_progress' | 'completed' }[] {
  const order = { in_progress: 0, pending: 1, completed: 2 };
  return Object.values(tasks.tasks)
    .flatMap(({ subject, status }) => (status === 'deleted' ? [] : [{ content: subject, status }]))
    .sort((a, b) => order[a.status] - order[b.status]);
}

const within = (path: string, dir: string): string | undefined =>
  path.startsWith(`${dir}/`) ? path.slice(dir.length + 1) : undefined;

/**
 * Files that the agent changed, newest first, without those it deleted or reverted. They are relative to the folder, or to
 * the one in which the session started: the project may have been moved since.
 */
export function filesOf({ files, tools, directory }: ContextState, dir: string): string[] {
  const ran = tools.runs.filter(
    ({ name, outcome }) => name === 'Bash' && outcome !== 'open' && outcome !== 'failed',
  );
  const commands = ran.map(({ about, seq, outcomeSeq }) => ({ about, seq: outcomeSeq ?? seq }));
  const fateOf = fatesOf(commands, directory ?? dir);
  return Object.values(files.files)
    .filter(({ edits }) => edits > 0)
    .sort((a, b) => b.lastAt - a.lastAt)
    .map(({ path, changedSeq, lastSeq }) => fateOf(path, changedSeq ?? lastSeq))
    .flatMap(({ path, isGone }) => (isGone ? [] : [path]))
    .map((path) => within(path, dir) ?? within(path, directory ?? dir) ?? path);
}
