import { type Place, placeOf } from '../platform/place.ts';
import type { HookMoment, HookStep, Injection } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { heldBefore, isUnanswered } from '../projections/compaction-memory.ts';
import { lookAtHead } from './head.ts';
import { newsFor } from './news.ts';
import { recoverySection } from './recovery.ts';
import { savedWork } from './saved.ts';
import { saveWork } from './work.ts';

/** Saves the state of the work before a compaction, keeping the task. */
export const saveWorkStep: HookStep = {
  on: ['PreCompact'],
  failed: 'the state of the work was not saved',
  run(project, { cwd, session }) {
    saveWork(project, { trigger: 'pre-compact', cwd, session, source: 'hook' });
    return undefined;
  },
};

/** News of the environment: short, so they take their room before recall. */
export const environmentInjection: Injection = {
  on: ['SessionStart', 'UserPromptSubmit'],
  worth: 2,
  failed: 'the environment was not reported',
  render(project, moment) {
    const { event, session, source, config } = moment;
    const place = placeOf(project.dir, moment.cwd);
    const { maxChars } = config.recall;
    const isStart = event === 'SessionStart';
    if (isStart ? source === 'compact' : isUnanswered(project.states, session)) {
      // The state that recall uses, too: it is folded once.
      const held = heldBefore(project.states, session);
      return {
        text: recoverySection(project, config.workspace, { place, session, held, maxChars }),
      };
    }
    return isStart ? { text: savedWork(project, place, maxChars) } : news(project, moment, place);
  },
};

function news(project: Project, { session, config }: HookMoment, place: Place) {
  // The next look may be a minute away.
  if (config.workspace.git.enabled) lookAtHead(project, place, session);
  const found = newsFor(project, place, session);
  if (found === undefined) return undefined;
  const { text, upto } = found;
  const data = { worktree: place.worktree, upto, chars: text.length };
  return { text, told: project.recorder.ownEvent('environment.told', session, data, 'hook') };
}
