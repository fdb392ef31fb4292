import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ben10Error } from '../../src/platform/errors.ts';
import { POINT_CHARS_MAX, parsePoint, rangeOf } from '../../src/timetravel/points.ts';
import { errorOf } from '../support.ts';

/** A Saturday. */
const NOW = new Date(2026, 10, 28, 15, 30).getTime();
const moment = (at: number) => ({ kind: 'time', from: at, to: at });

/** What is wrong, and what to do. */
const problem = (text: string) => errorOf(() => parsePoint(text, NOW));

describe('parsePoint', () => {
  test.each([
    ['@head', { kind: 'head' }],
    ['head', { kind: 'head' }],
    [' @1234 ', { kind: 'seq', seq: 1234 }],
    ['1234', { kind: 'seq', seq: 1234 }],
    ['2026', { kind: 'seq', seq: 2026 }],
    ['@0', { kind: 'seq', seq: 0 }],
    ['@-10', { kind: 'back', events: 10 }],
    ['@-0', { kind: 'back', events: 0 }],
    ['@prompt:3', { kind: 'prompt', n: 3 }],
    ['prompt:-2', { kind: 'prompt', n: -2 }],
    ['@compaction:-1', { kind: 'compaction', n: -1 }],
    ['@checkpoint:1', { kind: 'checkpoint', n: 1 }],
    ['@session:3b2a', { kind: 'session', id: '3b2a', edge: 'start' }],
    ['@session:3b2a:start', { kind: 'session', id: '3b2a', edge: 'start' }],
    ['@session:3b2a:end', { kind: 'session', id: '3b2a', edge: 'end' }],
    ['@session:a:b', { kind: 'session', id: 'a:b', edge: 'start' }],
    ['@save:before the merge: 2', { kind: 'save', name: 'before the merge: 2' }],
  ])('reads %s', (text, point) => {
    expect(parsePoint(text, NOW)).toEqual(point);
  });

  test.each([
    ['@2026-11-21T10:00Z', '2026-11-21T10:00:00.000Z'],
    ['@2026-11-21T10:00:07z', '2026-11-21T10:00:07.000Z'],
    ['2026-11-21T10:00:07.5Z', '2026-11-21T10:00:07.500Z'],
    ['@2026-11-21T10:00+01:00', '2026-11-21T09:00:00.000Z'],
    ['@2026-11-21T10:00-0530', '2026-11-21T15:30:00.000Z'],
    ['@2024-02-29T23:59Z', '2024-02-29T23:59:00.000Z'],
  ])('reads the time %s', (text, iso) => {
    expect(parsePoint(text, NOW)).toEqual(moment(Date.parse(iso)));
  });

  test('takes a time without a zone for local', () => {
    const at = new Date(2026, 10, 21, 10, 0, 7).getTime();
    expect(parsePoint('@2026-11-21T10:00:07', NOW)).toEqual(moment(at));
  });

  test('any time comes back as itself', () => {
    const times = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, (time) => {
        expect(parsePoint(`@${time.toISOString()}`, NOW)).toEqual(moment(time.getTime()));
      }),
    );
  });

  test.each([
    '@2026-02-30T10:00',
    '@2025-02-29T10:00Z',
    '@2026-13-01T10:00',
    '@2026-00-01T10:00',
    '@2026-11-21T24:00',
    '@2026-11-21T10:60',
    '@2026-11-21T10:00:60',
    '@2026-11-21T10',
    '@2026-11-21  10:00',
    '@2026-11-21T10:00+99:00',
  ])('refuses %s, which is no time', (text) => {
    expect(problem(text)).toMatchObject({ code: 'POINT_INVALID' });
  });

  const day = (year: number, month: number, date: number, days = 1) => ({
    kind: 'time',
    from: new Date(year, month - 1, date).getTime(),
    to: new Date(year, month - 1, date + days).getTime() - 1,
  });

  test.each([
    ['2h', moment(NOW - 2 * 3_600_000)],
    ['@2h ago', moment(NOW - 2 * 3_600_000)],
    ['30m-ago', moment(NOW - 30 * 60_000)],
    ['3d', moment(NOW - 3 * 86_400_000)],
    ['@999999999w', moment(0)],
    ['today', day(2026, 11, 28)],
    ['@yesterday', day(2026, 11, 27)],
    ['Yesterday', day(2026, 11, 27)],
    ['2026-11-21', day(2026, 11, 21)],
    ['saturday', day(2026, 11, 28)],
    ['monday', day(2026, 11, 23)],
    ['sunday', day(2026, 11, 22)],
    ['this week', day(2026, 11, 23, 7)],
    ['last-week', day(2026, 11, 16, 7)],
    ['last month', day(2026, 10, 1, 31)],
  ])('reads %s as a time here', (text, point) => {
    expect(parsePoint(text, NOW)).toEqual(point);
  });

  test.each([
    ['@promt:-1', '@prompt:-1'],
    ['compacton:2', '@compaction:2'],
    ['@yesterdy', '@yesterday'],
    ['@chekpoint:-1', '@checkpoint:-1'],
    ['lastweek', '@last week'],
    ['@haed', '@head'],
  ])('names the nearest point to %s', (text, near) => {
    expect(problem(text).message).toContain(`did you mean ${near}?`);
  });

  test.each([
    ['yesterday..', { from: 'yesterday' }],
    ['..@10', { to: '@10' }],
    ['..', {}],
    ['2h..@head', { from: '2h', to: '@head' }],
    ['@save:v1.2..@save:v1.3', { from: '@save:v1.2', to: '@save:v1.3' }],
    // Dots in a save's name: what stands behind them is no point.
    ['@save:before..after', undefined],
    ['@42', undefined],
  ])('reads %s as a range where both sides are points', (text, range) => {
    expect(rangeOf(text, NOW)).toEqual(range);
  });

  test('looks at each side of many dots once', () => {
    const texts = [`x${'..'.repeat(149)}`, 'x..'.repeat(99), '.'.repeat(1_000_000)];
    for (const text of texts) {
      expect(rangeOf(text, NOW)).toBeUndefined();
      expect(problem(text).message).toContain('is not a point');
    }
  });

  test('says of a range that it is one, where a point is taken', () => {
    expect(problem('@3..@5').message).toContain('it is a range');
  });

  test.each(['@prompt', 'compaction', '@checkpoint:last', '@prompt:'])(
    'asks which one %s is, and shows how to say it',
    (text) => {
      expect(problem(text).message).toMatch(/:-1 for the last or :1 for the first/);
    },
  );

  test.each(['@prompt:0', '@compaction:0', '@checkpoint:-0'])('%s is not counted', (text) => {
    expect(problem(text).message).toMatch(/count from 1/);
  });

  test('takes a bare word for the name of a save, and says how that is asked for', () => {
    expect(problem('before-refactoring').message).toContain('use @save:before-refactoring');
    expect(problem('@mine').message).toContain('use @save:mine');
    expect(problem('@@mine').message).not.toContain('@save');
  });

  test.each(['@session:', '@session::end', '@save:', '@save:  ', '@', '', '@@1', '@1.5'])(
    'refuses %j and shows what points look like',
    (text) => {
      const { code, next } = problem(text);
      expect(code).toBe('POINT_INVALID');
      expect(next).toContain('@compaction:-1');
    },
  );

  test('a point has at most 300 characters', () => {
    const name = 'n'.repeat(POINT_CHARS_MAX - '@save:'.length);
    expect(parsePoint(`@save:${name}`, NOW)).toEqual({ kind: 'save', name });
    expect(problem(`@save:${name}n`).message).toContain('300 characters');
  });

  test('any text is a point or a clear error, which shows no control characters', {
    tags: 'long',
  }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          expect(parsePoint(text, NOW)).toHaveProperty('kind');
        } catch (error) {
          expect(error).toBeInstanceOf(Ben10Error);
          expect((error as Error).message).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
        }
      }),
    );
  });
});
