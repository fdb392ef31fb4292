import { reconcileSession } from '../capture/reconcile-session.ts';
import { fieldOf } from '../projections/bounds.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { findSession } from '../timetravel/sessions.ts';
import { takeInbox } from './inbox.ts';
import type { Project } from './open.ts';

/** Limits of reading, milliseconds and bytes; the rest is read at the end of the turn. */
const CATCH_UP_MS = 1500;
const CATCH_UP_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Imports the new records of a session's transcript before its state is stored: only the transcript has the current turn.
 * @param asked the start of a session's id; by default the last active one
 * @throws Ben10Error POINT_NOT_FOUND, and errors of appending
 */
export function catchUp(project: Project, asked?: string): void {
  takeInbox(project);
  const { session, transcript } = transcriptOf(project, asked);
  if (session === undefined || transcript === undefined) return;
  const deadline = project.ports.clock.now() + CATCH_UP_MS;
  reconcileSession(project, session, transcript, { deadline, bytesMax: CATCH_UP_BYTES_MAX });
}

/** The path of the session's transcript, as hooks reported it. */
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
