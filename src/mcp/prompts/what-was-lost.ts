import { oneLine } from '../../projections/safe-text.ts';
import { whatWasLost } from '../../recall/lost.ts';
import { compactionNumber, findCompaction } from '../../timetravel/compactions.ts';
import { findSession, sessionsAt } from '../../timetravel/sessions.ts';
import { timeText } from '../../timetravel/text.ts';
import type { ServerContext } from '../context.ts';
import type { Prompt } from './prompt.ts';

/** About 4,500 tokens. */
const CHARS_MAX = 14_000;

const compacted = ({ project }: ServerContext) =>
  sessionsAt(project).filter(({ compactions }) => compactions > 0);

export const whatWasLostPrompt: Prompt = {
  name: 'what-was-lost',
  title: 'What the last compaction dropped',
  description: 'What was known before a compaction but is not in its summary.',
  arguments: [
    {
      name: 'session',
      description: 'An id or its start. Default: the last active one with a compaction.',
      values: (context) => compacted(context).map(({ session }) => session),
    },
    {
      name: 'compaction',
      description: 'Which one: -1 is the last, 1 the first.',
      values: (context) => {
        const most = Math.max(0, ...compacted(context).map(({ compactions }) => compactions));
        return Array.from({ length: most }, (_, n) => `${-1 - n}`);
      },
    },
  ],
  get({ session, compaction = '-1' }, { project }) {
    const whose = session === undefined ? undefined : findSession(project, session);
    const found = findCompaction(project, compactionNumber(compaction), whose);
    const about = `What session ${oneLine(found.session).slice(0, 8)} knew before its compaction of ${timeText(found.at)}, but the summary does not say.`;
    const { lost, told, text } = whatWasLost(project, {
      session: found.session,
      cut: found.point.cut,
      summary: found.summary,
      about,
      budget: CHARS_MAX,
    });
    if (lost === 0)
      return `The summary of the compaction of ${timeText(found.at)} contains everything that ben10 would give back. Tell me so, in one sentence.`;
    const without = found.summary === '' ? ' The summary is not known, so this is everything.' : '';
    return (
      `A compaction dropped the items below: ${lost} are not in its summary, which has ${told} more.` +
      `${without} Tell me in a few lines what matters for the current work, and follow it from here on.\n\n${text}`
    );
  },
};
