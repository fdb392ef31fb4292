import type { JournalEvent } from '../events/types.ts';
import type { LogQuery } from '../log/query.ts';
import type { Project } from '../project/open.ts';
import { HISTORY_TYPES } from '../timetravel/history.ts';
import { parsePoint, rangeOf } from '../timetravel/points.ts';
import { eventsUpto } from '../timetravel/replay.ts';
import { type ResolvedPoint, resolvePoint } from '../timetravel/resolve.ts';
import { findSession } from '../timetravel/sessions.ts';

/** Whether an event had happened by a point. */
type Had = (event: JournalEvent) => boolean;

const inHistory = new Set<string>(HISTORY_TYPES);

/**
 * The query of `ben10 log` for a range and a session.
 * @param text `FROM..TO`, `FROM..`, `..TO`, `TO`, or a day
 * @param session the start of a session's id
 * @returns with the times that it was understood as, if any
 * @throws Ben10Error POINT_INVALID, POINT_NOT_FOUND
 */
export function rangeQuery(
  project: Project,
  text: string | undefined,
  session: string | undefined,
): LogQuery & { said?: string } {
  const given = session === undefined ? {} : { session: findSession(project, session) };
  if (text === undefined) return given;
  const { from: start, to: end } = endsOf(text, project.ports.clock.now());
  const from = start ? resolvePoint(project, start, { ...given, edge: 'from' }) : undefined;
  // A prompt or compaction belongs to a session, and so does the other end of the range.
  const of = from?.session ? { session: from.session } : given;
  const to = end ? resolvePoint(project, end, of) : undefined;
  const within = to?.session ? { session: to.session } : of;
  const hadStart = from && hadBy(project, { ...from, session: within.session ?? null });
  const hadEnd = to && hadBy(project, { ...to, session: within.session ?? null });
  const times = [from && `after ${from.text}`, to && `up to ${to.text}`].filter((one) =>
    /@\d+-/.test(one ?? ''),
  );
  return {
    ...within,
    ...(times.length > 0 && { said: times.join(', ') }),
    ...(to?.cut.upto !== undefined && to.text !== '@head' && { to: to.cut.upto }),
    accepts: (event) => {
      // In the inbox: after all events with a seq.
      if (event.seq === 0) return to === undefined || to.text === '@head';
      return hadStart?.(event) !== true && hadEnd?.(event) !== false;
    },
  };
}

/** A single point is the end; a day, a week or a month alone is both. */
function endsOf(text: string, now: number): { from?: string; to?: string } {
  const range = rangeOf(text, now);
  if (range !== undefined) return range;
  const point = parsePoint(text, now);
  const isSpan = point.kind === 'time' && point.from < point.to;
  return { to: text, ...(isSpan && { from: text }) };
}

/** Facts are ordered by history, other events by arrival. */
function hadBy(project: Project, point: ResolvedPoint): Had {
  const { cut, seq, text } = point;
  if (text === '@head') return (event) => event.seq <= seq;
  if (cut.before === undefined) return (event) => event.seq <= (cut.upto ?? seq);
  const { time, position } = cut.before;
  // A time of the whole project: the events say theirs.
  if (point.session === null && position === -1) return ({ at }) => at !== null && at < time;
  const had = new Set(eventsUpto(project, point).map((event) => event.seq));
  return (event) => (inHistory.has(event.type) ? had.has(event.seq) : event.seq <= seq);
}
