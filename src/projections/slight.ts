import type { ContextState } from './folds/context.ts';
import { isOpen } from './folds/tasks.ts';

const SLIGHT_CALLS = 10;

/** A session that merely looked around: no file changed, no task open, few calls. */
export function isSlight({ files, tasks, tools, cleared }: ContextState): boolean {
  const hasOpen = Object.values(tasks.tasks).some(isOpen);
  const isChanged = Object.values(files.files).some(({ edits }) => edits > 0);
  return cleared === null && !hasOpen && !isChanged && tools.total < SLIGHT_CALLS;
}
