import type { Project } from '../project/open.ts';
import { contextUse } from '../projections/folds/context-use.ts';
import { handoffs } from '../projections/folds/handoffs.ts';
import { sessions } from '../projections/folds/sessions.ts';
import { isDone, tasks } from '../projections/folds/tasks.ts';
import { costsOf, type Renewal, renewalsOf } from './costs.ts';
import { momentOf } from './moments.ts';

/** So many of all. */
export interface Share {
  of: number;
  are: number;
}

/** Checkpoints, what was redone after them beside the same after compactions, and how well it works. @param since milliseconds since the epoch */
export function reportOf(project: Project, since = 0) {
  const { checkpoints } = project.states.at(handoffs, null).state;
  const all = Object.values(checkpoints).filter(({ at }) => at >= since);
  const made = all.flatMap(({ handoff }) => handoff ?? []);
  const renewals = renewalsOf(project, since);
  const of = (kind: Renewal['kind']) => renewals.filter((one) => one.kind === kind);
  return {
    levels: countBy(all.map(({ level }) => level)),
    triggers: countBy(all.map(({ trigger }) => trigger)),
    handoffs: made.length,
    resumed: made.filter(({ resumed }) => resumed.length > 0).length,
    ...costsOf(renewals),
    success: {
      goodResumes: share(of('handoff'), ({ isGood }) => isGood),
      // With a todo in work, and nothing finished in the calls before.
      midTask: share(of('compaction'), (one) => isMidTask(project, one)),
      tasksDone: tasksDone(project, since),
      manual: share(all, ({ trigger }) => trigger === 'manual'),
    },
  };
}

const share = <T>(all: readonly T[], is: (one: T) => boolean): Share => ({
  of: all.length,
  are: all.filter(is).length,
});

const countBy = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, names.filter((one) => one === name).length]));

function isMidTask({ states }: Project, { session, seq }: Renewal): boolean {
  const cut = { upto: seq - 1 };
  const todos = Object.values(states.at(tasks, session, cut).state.tasks);
  if (!todos.some(({ status }) => status === 'in_progress')) return false;
  return momentOf(states.at(contextUse, session, cut).state.work).good.length === 0;
}

/** Sessions, and the todos that they finished. */
function tasksDone({ states }: Project, since: number): Share {
  const all = Object.values(states.at(sessions, null).state.sessions);
  const recent = all.filter(({ lastAt }) => lastAt >= since);
  const todos = recent.flatMap(({ session }) =>
    Object.values(states.at(tasks, session).state.tasks),
  );
  return { of: recent.length, are: todos.filter(isDone).length };
}
