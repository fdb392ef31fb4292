import { randomHex } from '../../platform/random.ts';
import { fence } from '../../projections/safe-text.ts';
import { diffPoints } from '../../timetravel/diff.ts';
import { renderDiff } from '../../timetravel/render-diff.ts';
import { clipped } from '../answer.ts';
import { knownPoints, SESSION_ARGUMENT, workedSessions } from './complete.ts';
import type { Prompt } from './prompt.ts';

/** About 5,000 tokens. */
const BYTES_MAX = 16_000;

export const catchMeUpPrompt: Prompt = {
  name: 'catch-me-up',
  title: 'What happened since',
  description: 'What was asked, changed, run and decided since a point, as a short list.',
  arguments: [
    {
      name: 'since',
      description:
        'A point: @prompt:-1, @save:NAME, 2026-11-21T10:00. Default: the start of the session.',
      values: knownPoints,
    },
    SESSION_ARGUMENT,
  ],
  get({ since, session: asked }, context) {
    const { project } = context;
    const session = asked ?? (since === undefined ? workedSessions(context)[0] : undefined);
    const diff = diffPoints(project, since, undefined, { session });
    const text = fence(clipped(renderDiff(diff), BYTES_MAX), randomHex(project.ports.random, 8));
    const from = diff.from.seq === 0 ? 'from the beginning' : `since event @${diff.from.seq}`;
    return (
      `Catch me up: list briefly what happened ${from}, from ben10's journal below: what was asked for, what was changed, what failed and is ` +
      `still open, what was decided and why. Cite the events, like @12.\n\n${text}`
    );
  },
};
