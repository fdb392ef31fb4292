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
import { finishBegun, resumeInjection, takeDue, writeState } from '../handoff/hook-steps.ts';
import { takeJob } from '../handoff/job.ts';
import { hintStep } from '../monitor/hints.ts';
import { alertInjection, watchStep } from '../monitor/hook-steps.ts';
import { specWarning } from '../monitor/spec-warning.ts';
import { packRetention, packStatus } from '../packs/kept/retention.ts';
import { recallInjection, steering } from '../recall/injection.ts';
import { indexJob } from '../search/job.ts';
import { setupCheck } from '../setup/check.ts';
import { serverCheck } from '../status/servers.ts';
import { slowHooksCheck } from '../status/slow-hooks.ts';
import { changedUnderneath, othersAtWork } from '../timetravel/changed-underneath.ts';
import { writeCurrent } from '../timetravel/current.ts';
import { tellRecovered } from '../timetravel/recovered.ts';
import { archiveJob } from '../timetravel/snapshots/archive.ts';
import { snapshotStep } from '../timetravel/snapshots/hook-step.ts';
import { snapshotRetention, snapshotStatus } from '../timetravel/snapshots/prune.ts';
import { storedCheck } from '../timetravel/stored-damage.ts';
import { trackerJob } from '../tracker/job.ts';
import { environmentInjection, saveWorkStep } from '../workspace/hook-steps.ts';
import { lookJob } from '../workspace/job.ts';
import type { Check, HookStep, Injection, Job, Retention, StatusPart } from './doors.ts';

// What each feature contributes. Only names in these lists, no calls or spreads: a bundle can then leave out unused ones.

/** Before the client gets its answer, in this order. */
export const STEPS_BEFORE_ANSWER: readonly HookStep[] = [
  readTranscript,
  readUnfinished,
  watchStep,
  snapshotStep,
  saveWorkStep,
  tellRecovered,
  finishBegun,
  takeDue,
  hintStep,
];

/** After it, and after states were stored. */
export const STEPS_AFTER_ANSWER: readonly HookStep[] = [writeCurrent, writeState];

/** Texts for the model, in the order of the output. */
export const INJECTIONS: readonly Injection[] = [
  resumeInjection,
  /* @__PURE__ */ recallInjection((project, state, session, isAlone) =>
    changedUnderneath(project, state, isAlone ? [] : othersAtWork(project, session)),
  ),
  environmentInjection,
  specWarning,
  alertInjection,
  steering,
];

/** Background jobs of the server; the first due one runs first. */
export const JOBS: readonly Job[] = [takeJob, trackerJob, lookJob, indexJob, archiveJob];

/** Checks of `ben10 doctor`, in the order of the output. */
export const CHECKS: readonly Check[] = [
  nodeCheck,
  lockCheck,
  diskCheck,
  folderCheck,
  settingsCheck,
  redactionCheck,
  setupCheck,
  serverCheck,
  journalCheck,
  storedCheck,
  gapsCheck,
  slowHooksCheck,
];

/** Additions to `ben10 status`. */
export const STATUS: readonly StatusPart[] = [snapshotStatus, packStatus];

/** What `ben10 compact` removes, in this order. */
export const RETENTION: readonly Retention[] = [snapshotRetention, packRetention];
