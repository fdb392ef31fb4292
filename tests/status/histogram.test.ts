import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counted, type Histogram, quantileOf, totalOf } from '../../src/status/histogram.ts';

const of = (values: readonly number[]): Histogram => {
  const histogram: Histogram = [];
  for (const value of values) counted(histogram, value);
  return histogram;
};

/** The value that a share of all do not exceed. */
const exact = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length)) - 1]!;

test('the share of a histogram is that of its values, exact below 64 and at most a 32nd too low above', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(20_000), { minLength: 1, maxLength: 200 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, share) => {
        const found = quantileOf(of(values), share)!;
        const value = exact(values, share);
        expect(found).toBeLessThanOrEqual(value);
        expect(found).toBeGreaterThanOrEqual(value < 64 ? value : value * (1 - 1 / 32));
        expect(totalOf(of(values))).toBe(values.length);
      },
    ),
  );
});

test('a histogram of nothing has no share, and one of ten seconds has some hundred numbers', () => {
  expect(quantileOf([], 0.5)).toBeNull();
  expect(of([10_000]).length).toBeLessThan(320);
});
