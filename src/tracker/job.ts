import type { Job } from '../project/doors.ts';
import { deliverDue } from './deliver.ts';

/** Tells the tracker while the server is idle. What cannot be told now is told later, by whoever comes. */
export const trackerJob: Job = {
  name: 'tracker',
  isApart: false,
  afterMs: 5_000,
  everyMs: 60_000,
  giveUpMs: 4 * 3_600_000,
  budgetMs: 60_000,
  isWanted: ({ tracker }) => tracker.kind !== 'none',
  async run(project, { config, signal }) {
    const { sent, failed } = await deliverDue(project, config, { signal });
    return sent.length > 0 || failed.length > 0;
  },
};
