import type { CompactionFinished } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import type { Cut } from '../projections/gather.ts';
import { comparePlaces, type Placed } from '../projections/order.ts';
import { textOf } from '../projections/tools-text.ts';
import { historyOf } from './history.ts';
import { type ResolvedPoint, resolvePoint } from './resolve.ts';

export interface FoundCompaction {
  point: ResolvedPoint;
  session: string;
  seq: number;
  at: number;
  trigger: string;
  /** What replaced the conversation; empty when unknown. */
  summary: string;
  /** The start of the next compaction; absent for the newest. */
  until?: Cut;
}

/**
 * A session's compaction and its summary.
 * @param n counted from 1, or from the end with -1 as the last
 * @throws Ben10Error POINT_INVALID, POINT_NOT_FOUND
 */
export function findCompaction(project: Project, n: number, session?: string): FoundCompaction {
  const point = resolvePoint(project, `@compaction:${n}`, { session });
  const whose = point.session!; // it is in one
  const history = historyOf(project, whose);
  const index = history.findIndex(({ place }) => comparePlaces(place, point.cut.before!) === 0);
  const { fact } = history[index]!;
  const { trigger, summary } = fact.data as CompactionFinished;
  return {
    point,
    session: whose,
    seq: fact.seq,
    at: fact.at,
    trigger,
    summary: textOf(summary) ?? '',
    ...untilNext(history.slice(index + 1)),
  };
}

/** Where a hook saw the next compaction begin, else where it was over. */
function untilNext(after: readonly Placed[]): Pick<FoundCompaction, 'until'> {
  const end = after.findIndex(({ fact }) => fact.type === 'compaction.finished');
  if (end === -1) return {};
  const start = after.slice(0, end).findLast(({ fact }) => fact.type === 'compaction.started');
  return { until: { before: (start ?? after[end]!).place } };
}

/** The n of `@compaction:n`. @param text `-1`, `2` or `@compaction:-1` @throws Ben10Error USAGE */
export function compactionNumber(text: string): number {
  const [, number] = /^(?:@compaction:)?(-?[1-9]\d{0,5})$/.exec(text) ?? [];
  if (number !== undefined) return Number(number);
  throw new Ben10Error('USAGE', `"${text.slice(0, 40)}" is not the number of a compaction`, {
    next: 'Use -1 for the last, 1 for the first, or a point such as @compaction:-1.',
  });
}
