import { redactionCheck } from '../capture/check-redaction.ts';
import { gapsCheck } from '../capture/gaps.ts';
import { readTranscript, readUnfinished } from '../capture/hook-steps.ts';
import {
  diskCheck,
  folderCheck,
  journalCheck,
  lockCheck,
  nodeCheck,
  settingsCheck,
} from '../doctor/examine.ts';
import { recallInjection, steering } from '../recall/injection.ts';
import { setupCheck } from '../setup/check.ts';
import { changedUnderneath, othersAtWork } from '../timetravel/changed-underneath.ts';
import { storedCheck } from '../timetravel/check-stored.ts';
import { writeCurrent } from '../timetravel/hook-steps.ts';
import { tellRecovered } from '../timetravel/recovered.ts';
import { snapshotStep } from '../timetravel/snapshots/hook-step.ts';
import { archiveJob } from '../timetravel/snapshots/job.ts';
import { snapshotRetention } from '../timetravel/snapshots/retention.ts';
import { snapshotStatus } from '../timetravel/snapshots/status.ts';
import { environmentInjection, saveWorkStep } from '../workspace/hook-steps.ts';
import { lookJob } from '../workspace/job.ts';
import type { Check, HookStep, Injection, Job, Retention, StatusPart } from './doors.ts';

// What each feature adds. A bundle takes in only the lists that it uses, as long as these hold names alone: of a call or a
// spread nobody can say that it may be left out.

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
  /* @__PURE__ */ recallInjection((project, state, session, isAlone) =>
    changedUnderneath(project, state, isAlone ? [] : othersAtWork(project, session)),
  ),
  environmentInjection,
  steering,
];

/** What the server does while nobody asks it anything; the first that is due goes first. */
export const JOBS: readonly Job[] = [lookJob, archiveJob];

/** What `ben10 doctor` looks at, in the order in which it says so. */
export const CHECKS: readonly Check[] = [
  nodeCheck,
  lockCheck,
  diskCheck,
  folderCheck,
  settingsCheck,
  redactionCheck,
  setupCheck,
  journalCheck,
  storedCheck,
  gapsCheck,
];

/** What `ben10 status` says besides the journal's own. */
export const STATUS: readonly StatusPart[] = [snapshotStatus];

/** What `ben10 compact` removes for its age, count or size, in this order. */
export const RETENTION: readonly Retention[] = [snapshotRetention];
