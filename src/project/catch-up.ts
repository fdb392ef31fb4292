import { reconcileSession } from '../capture/reconcile-session.ts';
import { fieldOf } from '../projections/bounds.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { findSession } from '../timetravel/sessions.ts';
import { takeInbox } from './inbox.ts';
import type { Project } from './open.ts';

/** What reading may take, milliseconds and bytes: what is beyond that is read at the turn's end. */
const CATCH_UP_MS = 1500;
const CATCH_UP_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Brings in what the transcript of the session at work tells and no hook has told yet: what was said in a turn that still runs is
 * in there alone. For whoever stores a state of now.
 * @param asked a session's id, or the start of one; by default the one that was active last
 * @throws Ben10Error POINT_NOT_FOUND when there is no such session, and what appending throws
 */
export function catchUp(project: Project, asked?: string): void {
  takeInbox(project);
  const { session, transcript } = transcriptOf(project, asked);
  if (session === undefined || transcript === undefined) return;
  const deadline = project.ports.clock.now() + CATCH_UP_MS;
  reconcileSession(project, session, transcript, { deadline, bytesMax: CATCH_UP_BYTES_MAX });
}

/** Where the session's transcript is, as its hooks told. */
export function transcriptOf(
  project: Project,
  asked?: string,
): { session?: string; transcript?: string | undefined } {
  const { states } = project;
  const session = asked === undefined ? states.activeSession() : findSession(project, asked);
  if (typeof session !== 'string') return {};
  const known = fieldOf(states.at(recentSessions, null).state.sessions, session);
  return { session, transcript: known?.transcriptPath ?? undefined };
}
