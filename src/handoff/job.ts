import { isOverdue, type MonitorView, viewIn } from '../monitor/view.ts';
import { readdirIfThere } from '../platform/files.ts';
import type { Job } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { takeCheckpoint } from './take.ts';

/** Sessions that were not active for so long have ended. */
const ACTIVE_MS = 3_600_000;

/** Takes a checkpoint in the middle of a turn: at once at L3, after a minute at L2. */
export const takeJob: Job = {
  name: 'take-checkpoint',
  isApart: true,
  afterMs: 1_000,
  everyMs: 2_000,
  giveUpMs: ACTIVE_MS,
  budgetMs: 30_000,
  isWanted: ({ context }) => context.autoSave,
  stamp: (project) =>
    overdue(project)
      .map(({ session, epoch, level, checkpoint }) => [session, epoch, level, checkpoint.at].join())
      .join(' '),
  async run(project, { config }) {
    const { sessions } = project.states.at(recentSessions, null).state;
    const taken = overdue(project).map(({ session }) => {
      const cwd = fieldOf(sessions, session)?.cwd ?? undefined;
      const asked = { session, cwd, trigger: 'alert', source: 'tool', waitMs: 0 } as const;
      return takeCheckpoint(project, asked, config);
    });
    return taken.some((one) => one !== undefined);
  },
};

function overdue({ root, ports }: Project): MonitorView[] {
  const now = ports.clock.now();
  const dir = `${root}/monitor`;
  return readdirIfThere(ports.fs, dir).flatMap((name) => {
    const file = `${dir}/${name}`;
    const isOld = now - (ports.fs.statIfThere(file)?.mtimeMs ?? 0) > ACTIVE_MS;
    const view = isOld || !name.endsWith('.json') ? undefined : viewIn(file);
    return view !== undefined && isOverdue(view, now) ? view : [];
  });
}
