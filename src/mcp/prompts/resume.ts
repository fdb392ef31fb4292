import { restore } from '../../timetravel/restore.ts';
import { BUDGET_MAX } from '../tools/restore.ts';
import { SESSION_ARGUMENT } from './complete.ts';
import type { Prompt } from './prompt.ts';

export const resumePrompt: Prompt = {
  name: 'resume',
  title: 'Continue earlier work',
  description: 'What a session knew, did and had open, to continue from.',
  arguments: [SESSION_ARGUMENT],
  get({ session }, context) {
    const { text, recorded } = restore(context.project, {
      mode: 'summary',
      session,
      budgetTokens: BUDGET_MAX,
      source: 'tool',
    });
    if (recorded) context.touched();
    return (
      'Continue the work described below. Files may have changed since: call ben10_diff before you rely on one. ' +
      `Say in a few sentences where the work stood and what comes next, then do that.\n\n${text}`
    );
  },
};
