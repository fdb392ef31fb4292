import { decodeHead } from '../journal/format/envelope.ts';
import { oneRoom } from '../journal/read/room.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { type SessionRecord, sessions } from '../projections/folds/sessions.ts';
import type { Cut } from '../projections/gather.ts';
import { oneLine } from '../projections/safe-text.ts';

/** Sessions that an error names, so that the right one can be picked. */
const NAMED_MAX = 5;

/** The sessions that were known at a cut, the one that was active last first. */
export function sessionsAt(project: Project, cut: Cut = {}): SessionRecord[] {
  const { state } = project.states.at(sessions, null, cut);
  // Where two were active at the same time, the one that was heard of last.
  return Object.values(state.sessions)
    .reverse()
    .sort((a, b) => b.lastAt - a.lastAt);
}

/**
 * The session that an id or the start of one means.
 * @throws Ben10Error POINT_NOT_FOUND naming the sessions that there are, or that it could mean
 */
export function findSession(project: Project, given: string): string {
  const known = sessionsAt(project);
  if (known.some(({ session }) => session === given)) return given;
  let matching = known.filter(({ session }) => session.startsWith(given)).map((one) => one.session);
  // The projection holds the newest sessions; older ones, and ones that only said hello, are in the journal alone.
  if (matching.length === 0) matching = searchSessions(project, given);
  const exact = matching.find((session) => session === given);
  if (exact !== undefined) return exact;
  if (matching.length === 1) return matching[0]!;
  const shown = `"${oneLine(given).slice(0, 60)}"`;
  if (matching.length > 1) {
    throw new Ben10Error(
      'POINT_NOT_FOUND',
      `${shown} is the start of ${matching.length} sessions`,
      {
        next: `Give more of the id: ${nameList(matching)}`,
      },
    );
  }
  throw new Ben10Error('POINT_NOT_FOUND', `there is no session ${shown} in this journal`, {
    next:
      known.length === 0
        ? 'No session was recorded yet: work in the client, or run: ben10 import'
        : `The newest sessions are: ${nameList(known.map((one) => one.session))}`,
  });
}

function searchSessions(project: Project, prefix: string): string[] {
  const found = new Set<string>();
  for (const { entry } of project.reader.entries(undefined, undefined, oneRoom())) {
    const session = entry === undefined ? null : sessionOf(entry.payload);
    if (session?.startsWith(prefix)) found.add(session);
  }
  return [...found];
}

function sessionOf(payload: Buffer): string | null {
  try {
    return decodeHead(payload).session;
  } catch {
    return null; // a tombstone, or a body that is no envelope
  }
}

const nameList = (ids: readonly string[]): string => {
  const shown = ids.slice(0, NAMED_MAX).map(oneLine).join(', ');
  return ids.length > NAMED_MAX ? `${shown} and ${ids.length - NAMED_MAX} more` : shown;
};
