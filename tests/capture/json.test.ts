import { describe, expect, test } from 'vitest';
import {
  count,
  defined,
  isObject,
  NAME_CHARS_MAX,
  name,
  path,
  text,
  time,
} from '../../src/capture/json.ts';
import { SAMPLES, seeded } from './redaction/samples.ts';

describe('reading JSON from outside', () => {
  test('takes a text only when there is one', () => {
    expect([text('a'), text(''), text(5), text(null), text(['a'])]).toEqual([
      'a',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('cuts a name at its limit and mends what the cut leaves', () => {
    expect(name('x'.repeat(NAME_CHARS_MAX))).toHaveLength(NAME_CHARS_MAX);
    expect(name('x'.repeat(NAME_CHARS_MAX + 1))).toHaveLength(NAME_CHARS_MAX);
    const split = `${'x'.repeat(NAME_CHARS_MAX - 1)}😀`;
    expect(name(split)).toBe(`${'x'.repeat(NAME_CHARS_MAX - 1)}\ufffd`);
    expect(name('\ud800')).toBe('\ufffd');
    expect(name({})).toBeUndefined();
  });

  test('cuts no secret in two, whatever its place in a name that is too long', () => {
    for (const sample of Object.values(SAMPLES)) {
      const { text: found, secret } = sample(seeded(3));
      for (let before = 0; before <= NAME_CHARS_MAX; before += 5) {
        const kept = name(`${'- '.repeat(before / 2)}${found} ${'- '.repeat(NAME_CHARS_MAX)}`)!;
        expect(kept.length).toBeLessThanOrEqual(NAME_CHARS_MAX);
        for (let at = 0; at + 12 <= secret.length; at += 1) {
          expect(kept.includes(secret.slice(at, at + 12)), found).toBe(false);
        }
      }
    }
  });

  test('cuts a path where no file system would take it any more', () => {
    expect(path('/'.repeat(4096))).toHaveLength(4096);
    expect(path('/'.repeat(5000))).toHaveLength(4096);
    expect(path(undefined)).toBeUndefined();
  });

  test('counts in whole numbers from 0', () => {
    expect([count(0), count(2.7), count(-1), count(Number.NaN), count('3')]).toEqual([
      0,
      2,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('knows a time from 1970 on, in milliseconds', () => {
    expect(time('2026-11-21T10:13:31.702Z')).toBe(Date.UTC(2026, 10, 21, 10, 13, 31, 702));
    expect(time('1970-01-01T00:00:00Z')).toBe(0);
    expect([time('1969-12-31T23:59:59Z'), time('soon'), time(5), time(undefined)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test('tells objects from lists and nothing', () => {
    expect([isObject({}), isObject([]), isObject(null), isObject('a')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('leaves out what is not defined', () => {
    const kept = defined<{ a: number; b?: string }>({ a: 1, b: undefined });
    expect(Object.keys(kept)).toEqual(['a']);
  });
});
