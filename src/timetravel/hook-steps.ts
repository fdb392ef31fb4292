import type { HookStep } from '../project/doors.ts';
import { keepCurrent } from './keep-current.ts';

/** Writes the state out for other tools when a turn is over. A session's end adds nothing to the last turn. */
export const writeCurrent: HookStep = {
  on: ['Stop', 'StopFailure'],
  failed: 'current.ctx is not of this turn',
  run(project, { session }) {
    keepCurrent(project, session);
    return undefined;
  },
};
