import type { SnapshotTrigger } from '../../events/types.ts';
import type { HookMoment, HookStep } from '../../project/doors.ts';
import type { Project } from '../../project/open.ts';
import { completeSnapshot } from './complete.ts';
import { isUnderPressure } from './pressure.ts';
import { pruneAfterTaking } from './prune.ts';
import { takeSnapshot } from './take.ts';

/**
 * Stores the whole state before a compaction, and notes what the compaction left of the context when it is over. The session's
 * start after a compaction comes first, and may be all that comes; the hook behind it adds what it knows better. At a turn's end
 * the state is stored when it is about to let go what no snapshot has.
 */
export const snapshotStep: HookStep = {
  on: ['PreCompact', 'PostCompact', 'SessionStart', 'Stop', 'StopFailure'],
  failed: 'no snapshot of the context',
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

/** The client compacts by itself when its context is nearly full. */
const triggerOf = (said: string | undefined): SnapshotTrigger =>
  said === 'manual' ? 'manual' : 'threshold';
