import type { Job } from '../project/doors.ts';
import { lookAround } from './look.ts';

/**
 * Looks around the project soon after the last question, for what the agent did may have changed it, and then now and again,
 * for somebody else may. So the next prompt can be told of it, and no hook has to look.
 */
export const lookJob: Job = {
  name: 'look-around',
  isApart: false,
  afterMs: 3_000,
  everyMs: 60_000,
  // Who comes back later finds what is told at a session's start.
  giveUpMs: 3_600_000,
  budgetMs: 10_000,
  isWanted: ({ workspace, context }) => workspace.watch && context.autoSave,
  async run(project, { config, waiting }) {
    const session = project.states.activeSession();
    if (typeof session !== 'string') return false;
    // What still waits is not known: it would be taken for news again and again.
    const source = waiting === 0 ? 'tool' : undefined;
    const cwd = process.cwd();
    const { recorded } = await lookAround(project, config.workspace, { cwd, session, source });
    return recorded;
  },
};
