import type { JournalEvent } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { SessionHistory } from '../projections/history.ts';
import { comparePlaces, type Place } from '../projections/order.ts';
import type { ResolvedPoint } from './resolve.ts';

/**
 * The events that belong to a point, oldest first: of its session, if it has one, else of the whole project. A
 * point of arrival gives them as they came, each id once. A point of history gives facts in history order; what
 * later witnesses added to them is in their data, and is not listed on its own.
 * @param options.limit at most this many, the newest
 */
export function eventsUpto(
  project: Project,
  resolved: ResolvedPoint,
  options: { limit?: number } = {},
): JournalEvent[] {
  const { cut } = resolved;
  const found =
    cut.before === undefined
      ? byArrival(project, resolved)
      : byHistory(project, resolved, cut.before);
  const { limit = found.length } = options;
  return limit >= found.length ? found : found.slice(found.length - limit);
}

function byArrival(project: Project, { cut, session }: ResolvedPoint): JournalEvent[] {
  const seen = new Set<string>();
  const found: JournalEvent[] = [];
  for (const event of events(project, session, cut.upto)) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    found.push(event);
  }
  return found;
}

function byHistory(project: Project, { session }: ResolvedPoint, before: Place): JournalEvent[] {
  const histories = new Map<string | null, SessionHistory>();
  const versions = new Map<number, number>();
  for (const event of events(project, session, undefined)) {
    let history = histories.get(event.session);
    if (history === undefined) {
      history = new SessionHistory();
      histories.set(event.session, history);
    }
    history.add(event);
    versions.set(event.seq, event.version);
  }
  return [...histories.values()]
    .flatMap((history) => history.ordered())
    .filter(({ place }) => comparePlaces(place, before) < 0)
    .sort((a, b) => comparePlaces(a.place, b.place) || a.fact.seq - b.fact.seq)
    .map(({ fact: { trace: _, ...fact } }) => ({ ...fact, version: versions.get(fact.seq)! }));
}

function events(project: Project, session: string | null, to: number | undefined) {
  return readEvents(project.reader, project.ports.xxh64, {
    ...(session !== null && { session }),
    ...(to !== undefined && { to }),
  });
}
