import { text } from '../capture/json.ts';
import type { SnapshotTrigger } from '../events/types.ts';
import type { SnapshotSettings } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { completeSnapshot } from '../timetravel/snapshots/complete.ts';
import { pruneAfterTaking } from '../timetravel/snapshots/prune.ts';
import { takeSnapshot } from '../timetravel/snapshots/take.ts';

/**
 * Stores the whole state before a compaction, and notes what the compaction left of the context when it is over. The session's
 * start after a compaction comes first, and may be all that comes; the hook behind it adds what it knows better.
 */
export function keepSnapshots(
  project: Project,
  event: string,
  input: Record<string, unknown>,
  session: string,
  settings: SnapshotSettings,
): void {
  const isBefore = event === 'PreCompact';
  const isAfter =
    event === 'PostCompact' || (event === 'SessionStart' && text(input.source) === 'compact');
  if (!settings.enabled || !(isBefore || isAfter)) return;
  try {
    if (isAfter) completeSnapshot(project, session);
    else {
      takeSnapshot(project, { session, trigger: triggerOf(text(input.trigger)) });
      pruneAfterTaking(project, settings);
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    // For the hook to say: it goes on the next time.
    if (code === 'STATES_BEHIND') throw error;
    complain(`${code ?? 'error'}: ${String(message).split('\n')[0]}`);
  }
}

/** The client compacts by itself when its context is nearly full. */
const triggerOf = (said: string | undefined): SnapshotTrigger =>
  said === 'manual' ? 'manual' : 'threshold';

/** The event is recorded, and the journal has every state: the agent need not know. */
function complain(what: string): void {
  try {
    process.stderr.write(`ben10: no snapshot of the context: ${what}\n`.slice(0, 400));
  } catch {
    // Nobody is listening.
  }
}
