import { decodeHead } from '../journal/format/envelope.ts';
import { oneRoom } from '../journal/read/room.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import { type SessionRecord, sessions } from '../projections/folds/sessions.ts';
import type { Cut } from '../projections/gather.ts';
import { oneLine } from '../projections/safe-text.ts';
import { isOwnTool } from '../projections/tools-text.ts';

const NAMED_MAX = 5;

/** The sessions known at a cut, the last active first. */
export function sessionsAt(project: Project, cut: Cut = {}): SessionRecord[] {
  const { state } = project.states.at(sessions, null, cut);
  // Of two equally late, the last to arrive.
  return Object.values(state.sessions)
    .reverse()
    .sort((a, b) => b.lastAt - a.lastAt);
}

/** A client may run without ben10's server: what was active so shortly ago still runs. */
const ACTIVE_MS = 10 * 60_000;

/** Of the sessions without an end those that were active just now, and as many of the last active ones as servers run. */
export function runningAmong(
  records: readonly SessionRecord[],
  { servers, now }: { servers: number; now: number },
): Set<string> {
  const open = records.filter(({ starts, endedAt }) => starts > 0 && endedAt === null);
  const running = open.filter(({ lastAt }, n) => n < servers || now - lastAt < ACTIVE_MS);
  return new Set(running.map(({ session }) => session));
}

/** The session of an id or a unique start of one. @throws Ben10Error POINT_NOT_FOUND with the possible sessions */
export function findSession(project: Project, given: string): string {
  const known = sessionsAt(project);
  if (known.some(({ session }) => session === given)) return given;
  let matching = known.filter(({ session }) => session.startsWith(given)).map((one) => one.session);
  // The projection lacks old sessions, and those without activity.
  if (matching.length === 0) matching = searchSessions(project, given);
  const exact = matching.find((session) => session === given);
  if (exact !== undefined) return exact;
  if (matching.length === 1) return matching[0]!;
  const shown = `"${oneLine(given).slice(0, 60)}"`;
  if (matching.length > 1) {
    const why = `${shown} is the start of ${matching.length} sessions`;
    throw new Ben10Error('POINT_NOT_FOUND', why, {
      next: `Give more of the id: ${nameList(matching)}`,
    });
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
    return null; // a tombstone or an unreadable head
  }
}

const nameList = (ids: readonly string[]): string => {
  const shown = ids.slice(0, NAMED_MAX).map(oneLine).join(', ');
  return ids.length > NAMED_MAX ? `${shown} and ${ids.length - NAMED_MAX} more` : shown;
};

/** Sessions that are folded to look for work. */
const LOOKED_AT_MAX = 20;

/**
 * The session meant by "go on with the earlier work", when the newest one has only begun with that prompt. A cleared context is empty
 * on purpose, so it counts as itself.
 * @returns undefined when the newest session has work of its own, or no earlier one has
 */
export function earlierWork(project: Project): string | undefined {
  const [newest, ...earlier] = sessionsAt(project);
  if (newest === undefined || standsForItself(newest, project)) return undefined;
  return earlier.slice(0, LOOKED_AT_MAX).find((one) => standsForItself(one, project))?.session;
}

function standsForItself(one: SessionRecord, { states }: Project): boolean {
  if (one.prompts > 1) return true;
  const { cleared, decisions, tools } = states.at(context, one.session).state;
  return cleared !== null || decisions.length > 0 || Object.keys(tools.counts).some(isWork);
}

/** Searching for a tool, or asking ben10, is no work. */
const isWork = (tool: string): boolean => !isOwnTool(tool) && tool !== 'ToolSearch';
