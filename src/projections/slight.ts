import type { ContextState } from './folds/context.ts';

/** So few calls that change nothing are a look around. */
const SLIGHT_CALLS = 10;

/** Of a session that holds next to nothing: no file was changed, nothing is open, and little was called. */
export function isSlight({ files, tasks, tools, cleared }: ContextState): boolean {
  const isOpen = Object.values(tasks.tasks).some(
    ({ status }) => status === 'pending' || status === 'in_progress',
  );
  const isChanged = Object.values(files.files).some(({ edits }) => edits > 0);
  return cleared === null && !isOpen && !isChanged && tools.total < SLIGHT_CALLS;
}
