import type { CompactionFinished } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { comparePlaces } from '../projections/order.ts';
import { textOf } from '../projections/tools-text.ts';
import { historyOf } from './history.ts';
import { type ResolvedPoint, resolvePoint } from './resolve.ts';

export interface FoundCompaction {
  /** Just before it. */
  point: ResolvedPoint;
  session: string;
  seq: number;
  /** Milliseconds since the epoch. */
  at: number;
  trigger: string;
  /** What the conversation was replaced by; empty when nobody told. */
  summary: string;
}

/**
 * A compaction of a session, and what it put in the conversation's place.
 * @param n counted from 1, or from the end with -1 as the last
 * @throws Ben10Error POINT_INVALID, POINT_NOT_FOUND
 */
export function findCompaction(project: Project, n: number, session?: string): FoundCompaction {
  const given = session === undefined ? {} : { session };
  const point = resolvePoint(project, `@compaction:${n}`, given);
  const whose = point.session!; // it is in one
  const { fact } = historyOf(project, whose).find(
    ({ place }) => comparePlaces(place, point.cut.before!) === 0,
  )!;
  const { trigger, summary } = fact.data as CompactionFinished;
  return {
    point,
    session: whose,
    seq: fact.seq,
    at: fact.at,
    trigger,
    summary: textOf(summary) ?? '',
  };
}
