import { decodeEvent } from '../events/decode.ts';
import type { Project } from '../project/open.ts';
import { after, HISTORY_TYPES, historyOf } from './history.ts';
import type { ResolvedPoint } from './resolve.ts';

/** Everything that had happened by a time, in one session or in all. A time outside the journal is a point, too. */
export function timePoint(project: Project, time: number, session: string | null): ResolvedPoint {
  const text = `@${new Date(time).toISOString()}`;
  const cut = { before: after(time) };
  if (session === null) return { text, cut, session, ...newestBy(project, time) };
  const last = historyOf(project, session, cut).at(-1);
  const newest = { seq: last?.fact.seq ?? 0, at: last?.fact.at ?? null };
  return { text, cut, session, ...newest };
}

/** The newest event by its own time that is not after the given one. */
function newestBy(project: Project, time: number): { seq: number; at: number | null } {
  const types = new Set<string>(HISTORY_TYPES);
  let newest: { seq: number; at: number | null } = { seq: 0, at: null };
  for (const { entry } of project.reader.entries()) {
    const event = entry === undefined ? undefined : decodeEvent(entry);
    if (event === undefined || event.at === null || event.at > time) continue;
    if (types.has(event.type) && event.at >= (newest.at ?? Number.NEGATIVE_INFINITY)) {
      newest = { seq: event.seq, at: event.at };
    }
  }
  return newest;
}
