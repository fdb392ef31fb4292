import { describe, expect, it } from 'vitest';
import { bytes, count, dateTime, duration, plural, shortTime } from '../../../src/cli/ui/format.ts';

const time = (...parts: [number, number, number, number?, number?, number?]): number =>
  new Date(...parts).getTime();

describe('numbers and times for people', () => {
  it('counts in groups of three, and in the right number', () => {
    expect(count(1234567)).toBe('1,234,567');
    expect(plural(1, 'event')).toBe('1 event');
    expect(plural(0, 'event')).toBe('0 events');
    expect(plural(2000, 'entry', 'entries')).toBe('2,000 entries');
  });

  it('says sizes with two or three digits, in units of a thousand', () => {
    const sizes = [0, 999, 1000, 1449, 9949, 9950, 999_499, 999_500, 23_400_000, 5e12, 9e15];
    expect(sizes.map(bytes)).toEqual([
      '0 bytes',
      '999 bytes',
      '1.0 KB',
      '1.4 KB',
      '9.9 KB',
      '10 KB',
      '999 KB',
      '1.0 MB',
      '23 MB',
      '5.0 TB',
      '9000 TB',
    ]);
  });

  it('says times in the time of this machine, and nothing for none', () => {
    expect(dateTime(time(2026, 10, 21, 9, 5, 7))).toBe('2026-11-21 09:05:07');
    expect(dateTime(null)).toBe('-');
    expect(dateTime(Number.NaN)).toBe('-');
    expect(dateTime(1e20)).toBe('-');
  });

  it('leaves out of a time what goes without saying', () => {
    const now = time(2026, 10, 21, 12);
    expect(shortTime(time(2026, 10, 21, 0, 0, 1), now)).toBe('00:00:01');
    expect(shortTime(time(2026, 10, 20, 23, 59, 59), now)).toBe('11-20 23:59');
    expect(shortTime(time(2025, 10, 21, 12), now)).toBe('2025-11-21');
    expect(shortTime(null, now)).toBe('-');
    expect(shortTime(1e20, now)).toBe('-');
  });

  it('says how long something took', () => {
    expect([0.4, 999, 1000, 59_940, 60_000, 185_000].map(duration)).toEqual([
      '0 ms',
      '999 ms',
      '1.0 s',
      '59.9 s',
      '1 min 0 s',
      '3 min 5 s',
    ]);
  });
});
