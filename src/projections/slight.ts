import type { ContextState } from './folds/context.ts';

const SLIGHT_CALLS = 10;

/** A session that merely looked around: no file changed, no task open, few calls. */
export function isSlight({ files, tasks, tools, cleared }: ContextState): boolean {
  const isOpen = Object.values(tasks.tasks).some(
    ({ status }) => status === 'pending' || status === 'in_progress',
  );
  const isChanged = Object.values(files.files).some(({ edits }) => edits > 0);
  return cleared === null && !isOpen && !isChanged && tools.total < SLIGHT_CALLS;
}
