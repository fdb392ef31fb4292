import type { Place } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import { promptsOf } from '../projections/folds/conversation.ts';
import type { WorkState } from '../projections/folds/workspace.ts';
import { type Clean, cleaner } from './clean.ts';
import { framed } from './frame.ts';
import { todoText } from './layouts/words.ts';
import { recordedAt, worktreeAt } from './recorded.ts';

/** Share of the injected text; the rest is for what was said and done. */
const SHARE_MAX = 1 / 3;
const CHARS_MAX = 1500;
const TASK_CHARS = 900;
const NOTES_CHARS = 500;
const FILES_MAX = 8;
const FILE_CHARS = 160;
const TODOS_MAX = 10;
const TODO_CHARS = 120;

/**
 * The saved work, for the next session: only if no prompt was submitted in the worktree since, so that one session
 * gets it, and none after newer work. Empty if there is none.
 * @param maxChars limit of the injected text
 */
export function savedWork(project: Project, place: Place, maxChars: number): string {
  const work = worktreeAt(project, place)?.work;
  if (!work) return '';
  const { at, seq } = lastSaid(work);
  if (at === 0 || at < promptedAt(project, place)) return '';
  const about = 'Saved of the work for the session that comes next.';
  const clean = cleaner(project.redact);
  const room = Math.min(CHARS_MAX, maxChars * SHARE_MAX) - framed('work', about, '', seq).length;
  const body = linesOf(work, clean, seq).filter(fitting(room)).join('\n');
  return body === '' ? '' : framed('work', about, body, seq);
}

/** A hook's save says nothing new; it keeps the task that was saved before. */
const lastSaid = ({ trigger, at, seq, saidAt, saidSeq }: WorkState) =>
  trigger === 'manual' ? { at, seq } : { at: saidAt, seq: saidSeq };

/** When the last session there got its last prompt; 0 if none did. */
function promptedAt(project: Project, place: Place): number {
  const [newest] = recordedAt(project, place)().contexts;
  const prompts = newest === undefined ? [] : promptsOf(newest.conversation);
  return Math.max(0, ...prompts.map(({ timestamp }) => timestamp));
}

function linesOf(work: WorkState, clean: Clean, seq: number): string[] {
  const { taskSummary, notes, todos, workingFiles, saidSeq } = work;
  const task = clean(taskSummary ?? '', TASK_CHARS);
  const also = clean(notes ?? '', NOTES_CHARS);
  const open = todos.filter(({ status }) => status !== 'completed').slice(0, TODOS_MAX);
  const files = workingFiles.slice(0, FILES_MAX).map((file) => clean(file, FILE_CHARS));
  return [
    ...(task === '' ? [] : [`@${saidSeq} Task: ${task}`]),
    ...(also === '' ? [] : [`@${seq} Notes: ${also}`]),
    ...open.map(
      ({ content, status }) =>
        `@${seq} ${todoText({ content: clean(content, TODO_CHARS), status })}`,
    ),
    ...(files.length === 0 ? [] : [`@${seq} Files: ${files.join(', ')}`]),
  ];
}

/** Whether a line still has room; none is cut. */
function fitting(room: number): (line: string) => boolean {
  let left = room;
  return ({ length }) => {
    const fits = length < left;
    if (fits) left -= length + 1;
    return fits;
  };
}
