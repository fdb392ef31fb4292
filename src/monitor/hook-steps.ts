import { placeOf } from '../platform/place.ts';
import type { HookMoment, HookStep, Injection } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { noteCompacting } from './client-compaction.ts';
import { look, lookAgain } from './look.ts';
import { dropOldViews } from './write-view.ts';

const placed = ({ dir }: Project, { cwd }: HookMoment) => ({
  worktree: placeOf(dir, cwd).worktree,
});

/** Notes the level at each turn, for the status line and for what is due. It prints nothing. */
export const watchStep: HookStep = {
  on: ['SessionStart', 'Stop', 'StopFailure', 'PreCompact', 'PostCompact', 'SessionEnd'],
  failed: 'how full the context is was not noted',
  run(project, moment) {
    if (moment.event === 'SessionStart') {
      dropOldViews(project);
      noteCompacting(project, moment.session);
    }
    look(project, moment.session, moment.config.monitor, undefined, placed(project, moment));
    return undefined;
  },
};

/** Tells the model of a level, if no tool call did so that it arrived. */
export const alertInjection: Injection = {
  on: ['UserPromptSubmit'],
  worth: 4,
  failed: 'the model was not told how full its context is',
  render(project, moment) {
    const { session, event, config, transcript } = moment;
    const found = look(project, session, config.monitor, event, placed(project, moment));
    const text = found.text ?? lookAgain(project, found.view, transcript, event);
    return text === undefined ? undefined : { text };
  },
};
