import type { Job } from '../project/doors.ts';
import { lookAround } from './look.ts';

/**
 * Looks around soon after the last request, and then at intervals. So the next prompt can report changes, and no
 * hook has to look.
 */
export const lookJob: Job = {
  name: 'look-around',
  isApart: false,
  afterMs: 3_000,
  everyMs: 60_000,
  // Later, the next session start reports everything.
  giveUpMs: 3_600_000,
  budgetMs: 10_000,
  isWanted: ({ workspace, context }) => workspace.watch && context.autoSave,
  async run(project, { config, waiting }) {
    const session = project.states.activeSession();
    if (typeof session !== 'string') return false;
    // What waits in the inbox is not known yet: changes would be recorded again and again.
    const source = waiting === 0 ? 'tool' : undefined;
    const cwd = process.cwd();
    const { recorded } = await lookAround(project, config.workspace, { cwd, session, source });
    return recorded;
  },
};
