import { readTranscript, readUnfinished } from '../capture/hook-steps.ts';
import { recallInjection, steering } from '../recall/injection.ts';
import { changedUnderneath, othersAtWork } from '../timetravel/changed-underneath.ts';
import { writeCurrent } from '../timetravel/hook-steps.ts';
import { tellRecovered } from '../timetravel/recovered.ts';
import { snapshotStep } from '../timetravel/snapshots/hook-step.ts';
import { archiveJob } from '../timetravel/snapshots/job.ts';
import { environmentInjection, saveWorkStep } from '../workspace/hook-steps.ts';
import { lookJob } from '../workspace/job.ts';
import type { HookStep, Injection, Job } from './doors.ts';

// What each feature adds: the one list of features. A bundle takes in only what it uses of it.

/** Before the client has its answer, in this order. */
export const STEPS_BEFORE_ANSWER: readonly HookStep[] = [
  readTranscript,
  readUnfinished,
  snapshotStep,
  saveWorkStep,
  tellRecovered,
];

/** Behind it, when the states are stored. */
export const STEPS_AFTER_ANSWER: readonly HookStep[] = [writeCurrent];

/** What is given to the model, in the order in which it stands there. */
export const INJECTIONS: readonly Injection[] = [
  recallInjection((project, state, session, isAlone) =>
    changedUnderneath(project, state, isAlone ? [] : othersAtWork(project, session)),
  ),
  environmentInjection,
  steering,
];

/** What the server does while nobody asks it anything; the first that is due goes first. */
export const JOBS: readonly Job[] = [lookJob, archiveJob];
