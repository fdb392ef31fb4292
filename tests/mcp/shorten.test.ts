import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitted, jsonBytes, withShortTexts } from '../../src/mcp/shorten.ts';

describe('fitting a value into an answer', () => {
  it('changes nothing when it fits to the byte', () => {
    const value = { list: [1, 2, 3], text: 'ü' };
    const bytes = jsonBytes(value);
    expect(fitted(value, bytes)).toEqual({ value, shortened: false });
    expect(fitted(value, bytes - 1).shortened).toBe(true);
  });

  it('always fits, whatever the value', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 8 }),
        fc.integer({ min: 100, max: 3000 }),
        (one, bytes) => {
          const value = [one, one, { one, two: [one] }];
          expect(jsonBytes(fitted(value, bytes).value)).toBeLessThanOrEqual(bytes);
        },
      ),
    );
  });

  it('keeps the newest items of a list and the heads of texts, and says what is missing', () => {
    const list = Array.from({ length: 1000 }, (_, n) => ({ n, text: 'x'.repeat(5000) }));
    const { value, shortened } = fitted({ list, name: 'kept' }, 20_000);
    const { list: kept, name } = value as {
      list: [string, ...{ n: number; text: string }[]];
      name: string;
    };
    expect(shortened).toBe(true);
    expect(name).toBe('kept');
    expect(kept[0]).toMatch(/^… \d+ earlier$/);
    expect((kept.at(-1) as { n: number }).n).toBe(999);
    expect((kept.at(-1) as { text: string }).text).toMatch(/^x+…$/);
    expect(kept.length - 1 + Number(/\d+/.exec(kept[0])![0])).toBe(1000);
  });

  it('keeps the first fields of an object with very many, and says how many more there are', () => {
    const value = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`file-${n}`, n]));
    const kept = fitted(value, 2000).value as Record<string, unknown>;
    expect(kept['file-0']).toBe(0);
    expect(kept['…']).toBe(`${5000 - (Object.keys(kept).length - 1)} more`);
  });

  it('gives up in a few words on what cannot be shortened', () => {
    const deep = Array.from({ length: 9 }).reduce<object>(
      (inner) =>
        Object.fromEntries(Array.from({ length: 3 }, (_, n) => [`${'k'.repeat(300)}${n}`, inner])),
      {},
    );
    expect(fitted(deep, 100).value).toEqual({ omitted: expect.stringMatching(/^\d+ bytes$/) });
  });

  it('does not set a prototype by a name', () => {
    const value = JSON.parse(`{"__proto__": {"evil": "${'x'.repeat(500)}"}, "b": 1}`);
    const kept = fitted(value, 450).value as Record<string, unknown>;
    expect(kept.evil).toBeUndefined();
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });
});

describe('fields with short texts', () => {
  it('are cut at the limit, never within a character', () => {
    expect(withShortTexts({ a: 'abc', b: '12😀', n: 5, x: null }, 3)).toEqual({
      a: 'abc',
      b: '12…',
      n: 5,
      x: null,
    });
  });
});
