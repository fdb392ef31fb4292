import { estimateOf, specIn } from '../monitor/estimate.ts';
import { filesNamed, itemsOf } from '../monitor/size.ts';
import { isDocument } from '../monitor/spec-warning.ts';
import type { MonitorSettings } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { headOf } from '../projections/bounds.ts';
import type { IterationRecord } from '../projections/folds/loops.ts';
import { taskSizes } from '../projections/folds/task-sizes.ts';
import { oneLine } from '../projections/safe-text.ts';

const TODOS_MAX = 20;
const TITLE_CHARS = 160;

/** What is open, by the agent's last list, else by the task's own, with what each takes. */
export function todoLines(
  project: Project,
  settings: Pick<MonitorSettings, 'window'>,
  before: readonly IterationRecord[],
  task: string,
): string[] {
  const sessions = before.flatMap(({ session }) => session ?? []);
  const lists = sessions.map((session) =>
    Object.values(project.states.at(taskSizes, session).state.tasks.tasks),
  );
  const listed = lists.find((todos) => todos.length > 0);
  const lines = task.split('\n');
  const open =
    listed === undefined
      ? itemsOf(task)
          .filter(({ isDone }) => !isDone)
          .map(({ title, from, to }) => ({ title, text: lines.slice(from, to).join('\n') }))
      : listed
          .filter(({ status }) => !['completed', 'deleted'].includes(status))
          .map(({ subject }) => ({ title: subject, text: subject }));
  if (open.length === 0) return [];
  const [session] = sessions;
  const where = { project, settings, ...(session !== undefined && { session }) };
  const sized = open.slice(0, TODOS_MAX).map(({ title, text }) => {
    const { tokens, share, advice } = sizeOf(where, text);
    const size = `~${tokens.toLocaleString('en-US')} tokens, ${share}% of the window`;
    const large = advice === 'shard' ? ': give to a sub-agent or shard' : '';
    return `- ${headOf(oneLine(title), TITLE_CHARS)} (${size})${large}`;
  });
  const more = open.length > TODOS_MAX ? [`… and ${open.length - TODOS_MAX} more`] : [];
  return ['### Open Todos', ...sized, ...more, ''];
}

type Where = Parameters<typeof estimateOf>[0];

/** As large as the largest document that it names. */
function sizeOf(where: Where, text: string) {
  const named = filesNamed(text).filter(isDocument);
  return [text, ...named.flatMap((file) => specIn(where.project, file) ?? [])]
    .map((one) => estimateOf(where, one))
    .reduce((a, b) => (b.tokens > a.tokens ? b : a));
}
