import type { Project } from '../project/open.ts';
import { after, historyOf } from './history.ts';
import type { ResolvedPoint } from './resolve.ts';
import { newestBy } from './time-index.ts';

/** Everything that had happened by a time, in one session or in all. A time outside the journal is a point, too. */
export function timePoint(project: Project, time: number, session: string | null): ResolvedPoint {
  const text = `@${new Date(time).toISOString()}`;
  const cut = { before: after(time) };
  if (session === null)
    return { text, cut, session, ...(newestBy(project, time) ?? { seq: 0, at: null }) };
  const last = historyOf(project, session, cut).at(-1);
  const newest = { seq: last?.fact.seq ?? 0, at: last?.fact.at ?? null };
  return { text, cut, session, ...newest };
}
