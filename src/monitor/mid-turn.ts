import { levelOf, rankOf } from './levels.ts';
import { newestUsage, type Usage } from './tail.ts';
import { isDeferred, isOverdue, type MonitorView, readView } from './view.ts';

const TAIL_BYTES = 64 * 1024;

/** A level above all that were told in this epoch, unless it waits. */
export function owed(view: MonitorView): MonitorView['level'] | undefined {
  const { level, alerted } = view;
  const isNew = rankOf(level) > Math.max(0, ...alerted.map(rankOf));
  return isNew && !isDeferred(view) ? level : undefined;
}

/** The end of a transcript. @param from only what is newer than this place */
export const newestIn = (transcript: string, from = 0): Usage | undefined =>
  newestUsage(transcript, from, TAIL_BYTES);

/** What is due behind a tool call: a look, as a level is owed or nothing is known of the session, or a checkpoint. Folds nothing. */
export function dueBehind(
  root: string,
  session: string,
  { tokens }: Usage,
): 'look' | 'take' | undefined {
  const view = readView(root, session);
  if (view === undefined) return 'look';
  const percent = Math.round((100 * tokens) / view.window);
  const level = levelOf(percent, view, view.level);
  if (owed({ ...view, tokens, percent, level }) !== undefined) return 'look';
  return isOverdue(view, Date.now()) ? 'take' : undefined;
}
