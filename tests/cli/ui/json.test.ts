import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJson } from '../../../src/cli/ui/json.ts';

describe('JSON output', () => {
  it('is one line that a terminal does not obey, and means the same as what went in', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.dictionary(text, fc.oneof(text, fc.jsonValue())), (value) => {
        const json = toJson(value);
        expect(json).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('has bytes as base64, large integers as text, and nothing as null', () => {
    expect(toJson({ a: Buffer.from('ab').subarray(0, 1), b: 2n ** 64n })).toBe(
      '{"a":"YQ==","b":"18446744073709551616"}',
    );
    expect(toJson(undefined)).toBe('null');
  });
});
