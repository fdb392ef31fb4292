import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTime } from '../../src/log/typed.ts';
import { NOON } from './events.ts';

describe('a time as people type it', () => {
  it('may be an age', () => {
    expect(parseTime('90s', NOON, 'from')).toBe(NOON - 90_000);
    expect(parseTime('15m', NOON, 'from')).toBe(NOON - 15 * 60_000);
    expect(parseTime('2h', NOON, 'from')).toBe(NOON - 2 * 3_600_000);
    expect(parseTime('3d', NOON, 'from')).toBe(NOON - 3 * 86_400_000);
    expect(parseTime('1w', NOON, 'from')).toBe(NOON - 7 * 86_400_000);
    expect(parseTime('0s', NOON, 'from')).toBe(NOON);
  });

  it("may be a date and a time, in this machine's zone unless it says another", () => {
    expect(parseTime('2026-11-21T12:00Z', 0, 'from')).toBe(NOON);
    expect(parseTime('2026-11-21T13:30+01:30', 0, 'from')).toBe(NOON);
    expect(parseTime('2026-11-21T10:20:30', 0, 'from')).toBe(
      new Date(2026, 10, 21, 10, 20, 30).getTime(),
    );
    expect(parseTime('2026-11-21 10:20', 0, 'from')).toBe(new Date(2026, 10, 21, 10, 20).getTime());
  });

  it('takes a date alone for its midnight here, not in Greenwich', () => {
    expect(parseTime('2026-11-21', 0, 'from')).toBe(new Date(2026, 10, 21).getTime());
  });

  it('takes the words of a point, from the beginning of a day or up to its end', () => {
    const now = new Date(2026, 10, 21, 12).getTime();
    expect(parseTime('yesterday', now, 'from')).toBe(new Date(2026, 10, 20).getTime());
    expect(parseTime('yesterday', now, 'to')).toBe(new Date(2026, 10, 21).getTime() - 1);
    expect(() => parseTime('yesteday', now, 'from')).toThrow('did you mean "yesterday"?');
  });

  it('refuses everything else, saying what it takes', () => {
    const wrong = [
      '',
      'someday',
      '2',
      '2 h',
      '-2h',
      '2y',
      '2026-13-01',
      '2026-02-30',
      '2026-02-29T00:00',
    ];
    for (const text of [...wrong, '2026-11-21T25:00', '1e9', '20261121', '2026-11']) {
      expect(() => parseTime(text, NOON, 'from'), text).toThrow(
        expect.objectContaining({ code: 'USAGE', next: expect.stringContaining('2026-11-21') }),
      );
    }
    expect(parseTime('2028-02-29T00:00Z', 0, 'from')).toBe(Date.UTC(2028, 1, 29));
  });

  it('reads every time that JavaScript writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (time) => {
        expect(parseTime(new Date(time).toISOString(), 0, 'from')).toBe(time);
      }),
    );
  });
});
