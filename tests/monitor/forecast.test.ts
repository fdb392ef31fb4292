import path from 'node:path';
import { expect, test } from 'vitest';
import { backtest, errorsOf } from '../../src/monitor/backtest.ts';
import { forecasts, type Mark, marksOf, USUAL } from '../../src/monitor/forecast.ts';
import { forecastHistory, historyOf } from '../../src/projections/folds/forecast-history.ts';
import type { Point, Segment } from '../../src/projections/growth.ts';
import { openTestProject } from '../support.ts';
import { importInto, used } from '../tell.ts';

const LEVELS = { l1: 70, l2: 85, l3: 95 };
const MINUTE = 60_000;
/** Of a context. */
const FIRST: Point = [1, 0, 20_000];

/** Contexts that grow by so many tokens a minute, from 20,000 to 195,000. */
function contexts(rates: readonly number[], points = Number.POSITIVE_INFINITY): Segment[] {
  const history = historyOf(Number.POSITIVE_INFINITY, points);
  const state = history.initial();
  for (const [index, rate] of rates.entries())
    for (let minute = 0; 20_000 + minute * rate <= 195_000; minute += 1) {
      const at = (index * 1000 + minute) * MINUTE;
      const seen = used(`${index} ${minute}`, 20_000 + minute * rate, { session: `s${index}` });
      const fact = { seq: 1, id: 'f', client: null, source: 'transcript', trace: undefined };
      history.apply(state, { ...seen, ...fact, at });
    }
  return state.segments;
}

const usual = (segments: Segment[]) => backtest(segments, LEVELS, 200_000).usual;
const marks = (compactAt: number | null): Mark[] =>
  marksOf({ ...LEVELS, window: 200_000, compactAt });

test('minutes are told to each level and to the compaction, the nearest first, in an interval', () => {
  const found = forecasts(FIRST, [30, 20, 90_000], USUAL, marks(165_000));
  expect(found.map(({ to }) => to)).toEqual(['L1', 'compaction', 'L2', 'L3']);
  // Half of what is left before L1, by the usual rate and its own, which is the same here.
  expect(found[0]!.minutes).toBeCloseTo((50_000 / 3500) * USUAL.middle, 5);
  for (const { low, minutes, high } of found) {
    expect(low).toBeLessThan(minutes);
    expect(high).toBeGreaterThan(minutes);
  }
  const [next] = forecasts(FIRST, [30, 20, 150_000], USUAL, marks(165_000));
  expect(next?.to).toBe('compaction');
});

test('nothing is told before the eighth message, without growth, and past the last mark', () => {
  const told = (...now: Point) => forecasts(FIRST, now, USUAL, marks(null)).length;
  expect(told(8, 3, 50_000)).toBe(3);
  expect(told(7, 3, 50_000)).toBe(0);
  expect(told(8, 3, 20_000)).toBe(0);
  expect(told(8, 0, 50_000)).toBe(0);
  expect(told(8, 3, 195_000)).toBe(0);
});

test('what other contexts of the project took is expected of the next', () => {
  const known = contexts([1000, 1000, 1000, 1000, 1000, 1000]);
  const { rate } = usual(known);
  expect(rate).toBeGreaterThan(1000);
  expect(rate).toBeLessThan(1700);
});

test('the interval is that of the forecasts that were made here, once thirty marks were crossed', () => {
  const steady = Array.from({ length: 12 }, () => 2000);
  expect(usual(contexts(steady.slice(0, 9))).high).toBe(USUAL.high);
  const { low, high } = usual(contexts(steady));
  expect(high / low).toBeLessThan(USUAL.high / USUAL.low);
});

test('a back-test knows at each message only what was known then', () => {
  const rates = [2000, 1000, 3000, 1500];
  const all = backtest(contexts(rates), LEVELS, 200_000);
  const first = backtest(contexts(rates.slice(0, 2)), LEVELS, 200_000);
  expect(all.trials.slice(0, first.trials.length)).toEqual(first.trials);
  expect(all.crossings).toBe(12);
  // Where the growth is even, what the newest messages say is right.
  const errors = errorsOf(all.trials)!;
  expect(errors.ewma).toBeLessThan(1);
  expect(errors.soFar).toBeLessThan(1);
  expect(errors.ours).toBeGreaterThan(errors.ewma);
  expect(errorsOf([])).toBeNull();
});

test('of a long context few points are kept, and both of its ends', () => {
  const [whole] = contexts([250]);
  const [thin] = contexts([250], 32);
  expect(whole!.points).toHaveLength(701);
  expect(thin!.points.length).toBeLessThanOrEqual(32);
  expect(thin!.points[0]).toEqual(whole!.points[0]);
  expect(thin!.points.at(-1)).toEqual(whole!.points.at(-1));
});

test('a recorded session is a context up to the client’s own compaction, and one after it', {
  tags: 'long',
}, () => {
  const project = openTestProject();
  importInto(project, path.join('tests', 'fixtures', 'transcripts', 'claude-2.1.39-auto-compact'));
  const { segments } = project.states.at(forecastHistory, null).state;
  expect(segments.map(({ compactedAt }) => compactedAt)).toEqual([167_094, null]);
  expect(segments[0]!.points.length).toBeLessThanOrEqual(32);
  const { trials } = backtest(segments, LEVELS);
  expect(new Set(trials.map(({ to }) => to))).toEqual(new Set(['L1', 'compaction']));
  expect(errorsOf(trials)!.covered).toBeGreaterThan(70);
});
