import type { SnapshotTrigger } from '../../events/types.ts';
import type { HookMoment, HookStep } from '../../project/doors.ts';
import type { Project } from '../../project/open.ts';
import { completeSnapshot } from './left.ts';
import { pruneAfterTaking } from './prune.ts';
import { isUnderPressure } from './recent.ts';
import { takeSnapshot } from './take.ts';

/**
 * Stores the state before a compaction, and records afterwards what was left: at the session's start, and again at the hook behind
 * it, which may know more. At a turn's end, stores a state that is about to drop messages.
 */
export const snapshotStep: HookStep = {
  on: ['PreCompact', 'PostCompact', 'SessionStart', 'Stop', 'StopFailure'],
  failed: 'the snapshot of the context failed',
  run(project, moment) {
    const { event, session, source, trigger, config } = moment;
    if (!config.context.compactionSnapshots.enabled) return undefined;
    if (event === 'PreCompact') take(project, moment, triggerOf(trigger));
    else if (event === 'PostCompact' || source === 'compact') completeSnapshot(project, session);
    else if (event !== 'SessionStart' && isUnderPressure(project, session))
      take(project, moment, 'memory_pressure');
    return undefined;
  },
};

function take(project: Project, { session, config }: HookMoment, trigger: SnapshotTrigger): void {
  takeSnapshot(project, { session, trigger });
  pruneAfterTaking(project, config.context.compactionSnapshots);
}

/** Automatic compactions happen when the context is nearly full. */
const triggerOf = (said: string | undefined): SnapshotTrigger =>
  said === 'manual' ? 'manual' : 'threshold';
