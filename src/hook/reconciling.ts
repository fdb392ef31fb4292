import { reconcile } from '../capture/reconcile.ts';
import { subagentTranscripts, type TranscriptSource } from '../capture/transcripts.ts';
import type { Project } from '../project/open.ts';
import { cursors } from '../projections/folds/cursors.ts';
import { recentSessions } from '../projections/folds/sessions.ts';

/** Sessions before this one that a start looks after: the newest that never ended, or of which something was left unread. */
const UNFINISHED_MAX = 3;

/**
 * Brings in what no hook delivered of a session, its sub-agents included, as far as the time allows.
 * @returns how many facts that were
 */
export function reconcileSession(
  project: Project,
  session: string,
  transcript: string,
  deadline: number,
): number {
  const { ports, reader, recorder, states } = project;
  let added = 0;
  const sources: TranscriptSource[] = [
    { path: transcript, session, agent: null },
    ...subagentTranscripts(ports.fs, transcript, session),
  ];
  for (const source of sources) {
    if (ports.clock.now() >= deadline) return added;
    const state = states.at(cursors, session).state;
    const done = reconcile({
      ports,
      reader,
      recorder,
      cursors: state,
      ...source,
      source: 'transcript',
      deadline,
    });
    added += done?.added ?? 0;
  }
  return added;
}

/**
 * A client that was killed told no end, and the end of a long session may have had no time for all of it: what their
 * transcripts still hold is brought in at the next start.
 */
export function reconcileUnfinished(project: Project, session: string, deadline: number): void {
  const { state } = project.states.at(recentSessions, null);
  const open = Object.values(state.sessions).filter(
    ({ session: id, endedAt, isUnread, transcriptPath }) =>
      id !== session && (endedAt === null || isUnread) && transcriptPath !== null,
  );
  for (const one of open.slice(-UNFINISHED_MAX)) {
    reconcileSession(project, one.session, one.transcriptPath!, deadline);
  }
}
