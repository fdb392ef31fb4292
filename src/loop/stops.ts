import type { LoopStopped } from '../events/types.ts';
import { type IterationRecord, type LoopRecord, leftIn } from '../projections/folds/loops.ts';

export type StopReason = LoopStopped['reason'];
type Ended = NonNullable<IterationRecord['end']>;

const CLIENT_ERRORS_MAX = 3;

/** Why a loop is over; undefined if it goes on. All is told by its events, so a restart changes nothing. */
export function stopOf(loop: LoopRecord): StopReason | undefined {
  const { limits, spent, iterations, since = 0 } = loop;
  const last = iterations.at(-1)?.end;
  if (last && isComplete(loop, last)) return 'complete';
  const own = iterations.filter(({ seq }) => seq > since).flatMap(({ end }) => end ?? []);
  if (isAll(own, CLIENT_ERRORS_MAX, ({ outcome }) => outcome === 'client-error'))
    return 'client-error';
  const over = overBudget(loop);
  if (over !== undefined) return over;
  if (isStalled(own, limits.stall)) return 'stall';
  return spent.iterations >= limits.max ? 'max' : undefined;
}

/** @param running what the iteration at work has used */
export function overBudget(
  loop: LoopRecord,
  running?: { tokens: number; minutes: number },
): 'budget' | 'minutes' | undefined {
  const { usd, tokens, minutes } = leftIn(loop, running);
  if (usd === 0 || tokens === 0) return 'budget';
  return minutes === 0 ? 'minutes' : undefined;
}

/** The promise, where one is asked for, and all checks; with neither nothing says that it is done. */
function isComplete({ limits: { until, checks } }: LoopRecord, end: Ended): boolean {
  if (until === undefined && checks.length === 0) return false;
  const isPassed = end.checks.length === checks.length && end.checks.every((one) => one.isPassed);
  return isTurn(end) && (until === undefined || end.isPromised) && isPassed;
}

/** The others say nothing about the task. */
export const isTurn = ({ outcome }: Pick<Ended, 'outcome'>): boolean =>
  outcome === 'turn-end' || outcome === 'checkpoint';

/** The same tree and no todo done, or the same failure, in so many turns in a row; 0 for never. */
function isStalled(ends: readonly Ended[], times: number): boolean {
  const turns = ends.filter(isTurn);
  const newest = turns.at(-1);
  if (times === 0 || newest === undefined) return false;
  const { tree } = newest;
  const stood = ({ tree: other, todos }: Ended) => other === tree && (todos?.done ?? 0) === 0;
  if (tree !== undefined && isAll(turns, times, stood)) return true;
  return newest.checks.some(
    ({ isPassed, command, failure }) =>
      !isPassed &&
      isAll(turns, times, ({ checks }) =>
        checks.some((one) => one.command === command && one.failure === failure && !one.isPassed),
      ),
  );
}

const isAll = <T>(all: readonly T[], count: number, is: (one: T) => boolean): boolean =>
  all.length >= count && all.slice(-count).every(is);
