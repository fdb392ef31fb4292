import type { Source, Todo, WorkSaved } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';
import { placeOf } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import { headOf } from '../projections/bounds.ts';
import {
  FILES_MAX,
  NOTES_CHARS,
  TASK_CHARS,
  TODO_CHARS,
  TODOS_MAX,
} from '../projections/folds/workspace.ts';
import { filesOf, todosOf } from './collectors/work-state.ts';
import { recordedAt } from './recorded.ts';

interface SaveWork {
  /** Empty or absent keeps the earlier one. */
  taskSummary?: string | undefined;
  /** By default the files that the session changed. */
  workingFiles?: readonly string[] | undefined;
  notes?: string | undefined;
  /** By default the client's task list. */
  todos?: readonly Todo[] | undefined;
  trigger: 'manual' | 'pre-compact';
  cwd?: string | undefined;
  session?: string | undefined;
  source: Source;
}

/** Longer than any path; the projection limits their sum. */
const FILE_CHARS = 1000;

/**
 * Saves the state of the work in a worktree; what the caller leaves out comes from the journal. Durable on return.
 * @returns what was saved; undefined if there was nothing
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED, LIMIT_EXCEEDED
 */
export function saveWork(project: Project, given: SaveWork): WorkSaved | undefined {
  const place = placeOf(project.dir, given.cwd);
  const { session } = given;
  const { worktree, contexts } = recordedAt(project, place, { session })();
  const [newest] = contexts;
  const own = newest === undefined ? [] : filesOf(newest, place.dir);
  // Files named by hand stay beside those that the session changed.
  const known = [...new Set([...own, ...(worktree?.work?.workingFiles ?? [])])];
  const files = (given.workingFiles ?? known)
    .filter((one) => project.excludedBy(one) === undefined)
    .map((one) => headOf(one, FILE_CHARS));
  const todos = given.todos ?? (newest === undefined ? [] : todosOf(newest));
  const task = given.taskSummary?.trim() ?? '';
  const notes = given.notes?.trim();
  requireSize(task, TASK_CHARS, 'task summary');
  requireSize(notes ?? '', NOTES_CHARS, 'notes');
  const isSaid = task !== '' || notes !== undefined;
  if (!isSaid && files.length === 0 && todos.length === 0 && !worktree?.work) return undefined;
  const data: WorkSaved = {
    worktree: place.worktree,
    trigger: given.trigger,
    ...(task !== '' && { taskSummary: task }),
    ...(notes !== undefined && { notes }),
    ...(files.length > 0 && { workingFiles: files.slice(0, FILES_MAX) }),
    // An empty list counts only if it was given.
    ...((given.todos !== undefined || todos.length > 0) && {
      todos: todos.slice(0, TODOS_MAX).map(bounded),
    }),
  };
  const { recorder, states } = project;
  const whose = session ?? states.activeSession() ?? null;
  recorder.append([recorder.ownEvent('work.saved', whose, data, given.source)]);
  return data;
}

const bounded = ({ content, status }: Todo): Todo => ({
  content: headOf(content, TODO_CHARS),
  status,
});

function requireSize(text: string, max: number, what: string): void {
  if (text.length <= max) return;
  throw new Ben10Error('LIMIT_EXCEEDED', `the ${what} has ${text.length} characters`, {
    next: `Use at most ${max}.`,
  });
}
