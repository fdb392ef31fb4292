import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDue, isOverdue, readView } from '../monitor/view.ts';
import { noteTry } from '../monitor/write-view.ts';
import type { HookMoment, HookStep, Injection } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { handoffs, unfinishedOf } from '../projections/folds/handoffs.ts';
import { exportState } from './exported.ts';

/** In a bundle of its own: most turns take none. */
const heavy = () => require('./hook-handoff.cjs') as typeof import('./at-hooks.ts');

/** Takes what is due at the end of a turn or a session, and always before a compaction. It says so to the user alone. */
export const takeDue: HookStep = {
  on: ['Stop', 'StopFailure', 'PreCompact', 'SessionEnd'],
  failed: 'no checkpoint was taken',
  run(project, moment) {
    const view = readView(project.root, moment.session);
    const isWanted = moment.event === 'PreCompact' || (view !== undefined && isDue(view));
    return isWanted ? heavy().takeAtHook(project, moment) : undefined;
  },
};

/** Behind a tool call: takes what a turn that goes on may not wait for. @returns a line for the user */
export function takeOverdue(project: Project, moment: HookMoment): string | undefined {
  const view = readView(project.root, moment.session);
  const now = project.ports.clock.now();
  if (view === undefined || !isOverdue(view, now)) return undefined;
  noteTry(project, view, now);
  return heavy().takeAtHook(project, moment);
}

/** Finishes the checkpoints of processes that were killed. */
export const finishBegun: HookStep = {
  on: ['SessionStart'],
  failed: 'a checkpoint was not finished',
  run(project, moment) {
    const { state } = project.states.at(handoffs, null);
    const unfinished = unfinishedOf(state, project.ports.clock.now());
    return unfinished.length > 0 ? heavy().finishAtHook(project, moment) : undefined;
  },
};

/** For other tools, where the context is watched. */
export const writeState: HookStep = {
  on: ['Stop', 'StopFailure'],
  failed: '.claude/checkpoint-state.json was not written',
  run(project, { session }) {
    // Where `init` was not run, git would show the file.
    const isSetUp = existsSync(path.join(project.dir, '.ben10/config.yaml'));
    if (isSetUp && readView(project.root, session) !== undefined) exportState(project, session);
    return undefined;
  },
};

/** Points a new session to the handoff that it may go on from. */
export const resumeInjection: Injection = {
  on: ['SessionStart'],
  worth: 3,
  failed: 'no handoff was given to the session',
  render(project, moment, { left }) {
    const isStart = ['startup', 'resume', 'clear'].includes(moment.source ?? '');
    const { checkpoints } = project.states.at(handoffs, null).state;
    const isAny = Object.values(checkpoints).some(
      ({ handoff, session }) => handoff !== null && session !== moment.session,
    );
    return isStart && isAny ? heavy().resumeText(project, moment, left) : undefined;
  },
};
