import type { Project } from '../project/open.ts';
import { keepCurrent } from '../timetravel/keep-current.ts';
import { complaintOf } from './complaint.ts';

/** A turn is over, as the client tells it. A session's end adds nothing to the last one, and has a transcript to read. */
export const endsTurn = (event: string): boolean => event === 'Stop' || event === 'StopFailure';

/**
 * Writes the state out for other tools when a turn is over.
 * @returns what went wrong, one line: the events are recorded, and the next turn writes it again
 * @throws STATES_BEHIND, for the hook to say
 */
export function writeOut(project: Project, event: string, session: string): string | undefined {
  if (!endsTurn(event)) return undefined;
  try {
    keepCurrent(project, session);
    return undefined;
  } catch (error) {
    return complaintOf('current.ctx is not of this turn', error);
  }
}
