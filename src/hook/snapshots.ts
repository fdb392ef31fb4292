import { text } from '../capture/json.ts';
import type { SnapshotTrigger } from '../events/types.ts';
import type { SnapshotSettings } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { completeSnapshot } from '../timetravel/snapshots/complete.ts';
import { isUnderPressure } from '../timetravel/snapshots/pressure.ts';
import { pruneAfterTaking } from '../timetravel/snapshots/prune.ts';
import { takeSnapshot } from '../timetravel/snapshots/take.ts';
import { complaintOf } from './complaint.ts';
import { endsTurn } from './current.ts';

/**
 * Stores the whole state before a compaction, and notes what the compaction left of the context when it is over. The session's
 * start after a compaction comes first, and may be all that comes; the hook behind it adds what it knows better. At a turn's end
 * the state is stored when it is about to let go what no snapshot has.
 * @returns what went wrong, one line: the event is recorded, and the journal has every state
 * @throws STATES_BEHIND, for the hook to say: it goes on the next time
 */
export function keepSnapshots(
  project: Project,
  event: string,
  input: Record<string, unknown>,
  session: string,
  settings: SnapshotSettings,
): string | undefined {
  const isBefore = event === 'PreCompact';
  const isAfter =
    event === 'PostCompact' || (event === 'SessionStart' && text(input.source) === 'compact');
  if (!settings.enabled || !(isBefore || isAfter || endsTurn(event))) return undefined;
  try {
    if (isAfter) completeSnapshot(project, session);
    else if (isBefore) take(triggerOf(text(input.trigger)));
    else if (isUnderPressure(project, session)) take('memory_pressure');
    return undefined;
  } catch (error) {
    return complaintOf('no snapshot of the context', error);
  }

  function take(trigger: SnapshotTrigger): void {
    takeSnapshot(project, { session, trigger });
    pruneAfterTaking(project, settings);
  }
}

/** The client compacts by itself when its context is nearly full. */
const triggerOf = (said: string | undefined): SnapshotTrigger =>
  said === 'manual' ? 'manual' : 'threshold';
