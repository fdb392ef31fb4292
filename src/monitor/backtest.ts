import type { Point, Segment } from '../projections/growth.ts';
import {
  type Forecast,
  forecasts,
  type Mark,
  MESSAGES_MIN,
  marksOf,
  USUAL,
  type Usual,
} from './forecast.ts';
import type { Thresholds } from './levels.ts';
import { windowBy } from './window.ts';

/** One forecast of a mark that was reached, beside two that any program could make. */
interface Trial extends Forecast {
  /** Which segment, by its place in the list. */
  segment: number;
  actual: number;
  /** By the tokens a minute of the newest messages, and of all so far. */
  ewma: number;
  soFar: number;
}

const EWMA = 0.1;
/** The fitted rate counts as much as that of so many contexts. */
const FITTED = 3;
/** Of fewer own crossings, an interval is a guess. */
const CROSSINGS_MIN = 30;
const GROWTH_MIN = 3000;

/**
 * Forecasts every mark from every message before it, each only with what was known then.
 * @param segments oldest first
 * @param window 0 to take it from the model
 * @returns how many marks were reached, too, and what all of the segments teach
 */
export function backtest(segments: readonly Segment[], levels: Thresholds, window = 0) {
  const rates: number[] = [];
  const misses: number[] = [];
  const trials: Trial[] = [];
  let crossings = 0;
  let usual = USUAL;
  for (const [index, segment] of segments.entries()) {
    const reached = marksReached(segment, levels, window);
    crossings += reached.filter(({ tokens }) => tokens > segment.points[0]![2]).length;
    for (const trial of trialsOf(segment, reached, usual)) {
      trials.push({ ...trial, segment: index });
      misses.push((trial.actual / trial.minutes) * usual.middle);
    }
    rates.push(...lateRate(segment));
    usual = usualOf(rates, crossings < CROSSINGS_MIN ? [] : misses);
  }
  return { trials, crossings, usual };
}

function marksReached(segment: Segment, levels: Thresholds, set: number): Mark[] {
  const { model, points, compactedAt } = segment;
  const end = points.at(-1)![2];
  const { window } = windowBy({ said: segment.window, set, model }, end);
  // The client counts its next message, too.
  const compactAt = compactedAt === null ? null : Math.min(compactedAt, end);
  return marksOf({ ...levels, window, compactAt }).filter(({ tokens }) => tokens <= end);
}

function usualOf(rates: readonly number[], misses: readonly number[]): Usual {
  const logs = rates.reduce((sum, rate) => sum + Math.log(rate), FITTED * Math.log(USUAL.rate));
  const rate = Math.exp(logs / (rates.length + FITTED));
  if (misses.length === 0) return { ...USUAL, rate };
  const sorted = misses.toSorted((a, b) => a - b);
  const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => quantile(sorted, share));
  return { rate, low: low!, middle: middle!, high: high! };
}

/** Of what came after the first messages. */
function lateRate({ points }: Segment): number[] {
  const [, from, before] = points.find(([messages]) => messages >= MESSAGES_MIN) ?? points.at(-1)!;
  const [, to, after] = points.at(-1)!;
  return after - before >= GROWTH_MIN && to - from > 1 ? [(after - before) / (to - from)] : [];
}

function* trialsOf({ points }: Segment, marks: readonly Mark[], usual: Usual) {
  const crossed = new Map(
    marks.map(({ to, tokens }) => [to, points.find((point) => point[2] >= tokens)![1]]),
  );
  let [moreTokens, moreMinutes] = [0, 0];
  const [first] = points as [Point];
  for (const [index, point] of points.entries()) {
    const [, minutes, tokens] = point;
    if (index > 0) {
      const [, before, held] = points[index - 1] as Point;
      const share = index === 1 ? 1 : EWMA;
      moreTokens += share * (Math.max(0, tokens - held) - moreTokens);
      moreMinutes += share * (minutes - before - moreMinutes);
    }
    const soFar = (tokens - first[2]) / minutes;
    const ewma = moreTokens > 0 && moreMinutes > 0 ? moreTokens / moreMinutes : soFar;
    for (const forecast of forecasts(first, point, usual, marks)) {
      const actual = crossed.get(forecast.to)! - minutes;
      const left = marks.find(({ to }) => to === forecast.to)!.tokens - tokens;
      if (actual > 0) yield { ...forecast, actual, ewma: left / ewma, soFar: left / soFar };
    }
  }
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return quantile(sorted, 0.5);
}

export type Errors = NonNullable<ReturnType<typeof errorsOf>>;

/** In percent, but for the width. Null without a trial. */
export function errorsOf(trials: readonly Trial[]) {
  if (trials.length === 0) return null;
  // The median of |forecast − actual| / actual.
  const error = (of: (trial: Trial) => number) =>
    100 * median(trials.map((trial) => Math.abs(of(trial) - trial.actual) / trial.actual));
  const held = trials.filter(({ actual, low, high }) => low <= actual && actual <= high);
  return {
    ours: error(({ minutes }) => minutes),
    ewma: error(({ ewma }) => ewma),
    soFar: error(({ soFar }) => soFar),
    covered: (100 * held.length) / trials.length,
    // The interval's upper end over its lower one.
    width: median(trials.map(({ low, high }) => high / low)),
  };
}
