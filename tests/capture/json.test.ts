import { describe, expect, test } from 'vitest';
import {
  CONTAINERS_MAX,
  count,
  defined,
  isObject,
  LEVELS_MAX,
  NAME_CHARS_MAX,
  name,
  parseJson,
  path,
  text,
  time,
  UNSEEN_CHARS,
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

describe('parsing JSON from outside', () => {
  const padding = 'x'.repeat(UNSEEN_CHARS);
  const levelsOf = (value: unknown): number => {
    let levels = 0;
    for (let at = value; typeof at === 'object' && at !== null; at = Object.values(at)[0])
      levels += 1;
    return levels;
  };
  const nested = (levels: number) =>
    `{"a":${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)},"last":"${padding}"}`;

  test('changes nothing of what is nested and branched as data is, whatever its texts hold', () => {
    const texts = ['[[{{', '\\', '"', '\\"]', `${'['.repeat(LEVELS_MAX)}\\\\`, padding];
    const value = { texts, [texts[4]!]: { list: [[], {}, [{ a: [null, 1.5, true] }]] } };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
    expect(parseJson(JSON.stringify(value, null, 2))).toEqual(value);
    expect(levelsOf(parseJson(nested(LEVELS_MAX - 2)))).toBe(LEVELS_MAX - 1);
  });

  test('leaves out what is nested deeper than anything walks, and keeps what stands behind it', () => {
    const value = parseJson(nested(400_000)) as Record<string, unknown>;
    expect(levelsOf(value)).toBe(LEVELS_MAX);
    expect(value.last).toBe(padding);
  });

  test('ends a list in which too many lists and objects begin, and keeps what stands behind it', () => {
    const list = `${'[],{},'.repeat(CONTAINERS_MAX)}[]`;
    const value = parseJson(`{"a":[${list}],"last":"}"}`) as { a: unknown[]; last: string };
    expect(value.a).toHaveLength(CONTAINERS_MAX - 1);
    expect(value.a.at(-1)).toBe('…');
    expect(value.last).toBe('}');
  });

  test('takes what has no end, or no beginning, for no JSON', () => {
    for (const bad of [
      '['.repeat(2_000_000),
      nested(1000).slice(0, -1),
      `]${nested(1000)}`,
      `"${padding}`,
    ])
      expect(() => parseJson(bad)).toThrow(SyntaxError);
  });
});
