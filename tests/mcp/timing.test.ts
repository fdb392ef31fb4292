import { describe, expect, it } from 'vitest';
import { SAMPLES_MAX, Timing } from '../../src/mcp/timing.ts';

describe('timing', () => {
  it('is all zeros before anything was measured', () => {
    expect(new Timing().summary()).toEqual({ count: 0, p50: 0, p99: 0, max: 0 });
  });

  it('gives the middle, the 99th of a hundred, and the longest', () => {
    const timing = new Timing();
    for (let ms = 100; ms >= 1; ms -= 1) timing.add(ms);
    expect(timing.summary()).toEqual({ count: 100, p50: 50, p99: 99, max: 100 });
  });

  it('rounds to the microsecond', () => {
    const timing = new Timing();
    timing.add(0.123456);
    expect(timing.summary()).toEqual({ count: 1, p50: 0.123, p99: 0.123, max: 0.123 });
  });

  it('forgets the oldest beyond its limit, but not how many there were', () => {
    const timing = new Timing();
    timing.add(1000);
    for (let n = 1; n < SAMPLES_MAX; n += 1) timing.add(1);
    expect(timing.summary()).toMatchObject({ count: SAMPLES_MAX, max: 1000 });
    timing.add(1);
    expect(timing.summary()).toMatchObject({ count: SAMPLES_MAX + 1, max: 1 });
  });
});
