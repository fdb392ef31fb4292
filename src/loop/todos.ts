import { estimateOf, specIn, type Where } from '../monitor/estimate.ts';
import { workIn, workOf } from '../monitor/session-plan.ts';
import { filesNamed } from '../monitor/size.ts';
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
  const open = listed === undefined ? workIn(task) : workOf(listed);
  if (open.length === 0) return [];
  const where = { project, settings, session: sessions[0] };
  const sized = open.slice(0, TODOS_MAX).map(({ title, words }) => {
    const { tokens, share, advice } = sizeOf(where, words);
    const size = `~${tokens.toLocaleString('en-US')} tokens, ${share}% of the window`;
    const large = advice === 'shard' ? ': give to a sub-agent or shard' : '';
    return `- ${headOf(oneLine(title), TITLE_CHARS)} (${size})${large}`;
  });
  const more = open.length > TODOS_MAX ? [`… and ${open.length - TODOS_MAX} more`] : [];
  return ['### Open Todos', ...sized, ...more, ''];
}

/** As large as the largest document that it names. */
function sizeOf(where: Where, text: string) {
  const named = filesNamed(text).filter(isDocument);
  return [text, ...named.flatMap((file) => specIn(where.project, file) ?? [])]
    .map((one) => estimateOf(where, one))
    .reduce((a, b) => (b.tokens > a.tokens ? b : a));
}
