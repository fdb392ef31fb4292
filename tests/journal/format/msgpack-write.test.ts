import { Encoder } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEPTH_MAX } from '../../../src/journal/format/msgpack-read.ts';
import { MsgpackWriter } from '../../../src/journal/format/msgpack-write.ts';

const writer = new MsgpackWriter();
const theirs = new Encoder({ ignoreUndefined: true, maxDepth: DEPTH_MAX + 2 });
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function same(value: unknown): void {
  expect(hex(writer.array([value]))).toBe(hex(theirs.encode([value])));
}

describe('MessagePack, written by hand', () => {
  it('is what @msgpack/msgpack writes, for any value of JSON', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 60 });
    const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double());
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.oneof(word, number, fc.boolean(), fc.constantFrom(null, undefined)),
        fc.array(tie('tree'), { maxLength: 20 }),
        fc.dictionary(
          word.filter((key) => key !== '__proto__'),
          tie('tree'),
          { maxKeys: 20 },
        ),
        fc.uint8Array({ maxLength: 300 }),
      ),
    }));
    fc.assert(fc.property(tree, same), { numRuns: 2000 });
  });

  it('is the same at every border of a width', () => {
    const borders = [0, 16, 32, 128, 256, 2 ** 15, 2 ** 16, 2 ** 31, 2 ** 32, 2 ** 53 - 1];
    for (const border of borders) {
      for (const n of [border - 1, border, border + 1]) {
        same(n);
        same(-n);
        if (n < 0 || n > 70_000) continue;
        same('x'.repeat(n));
        same('ä'.repeat(n));
        same(new Uint8Array(n));
        same(Array(n).fill(1));
        same(Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i])));
      }
    }
    for (const n of [-0, 0.5, Number.MAX_VALUE, Number.NaN, Infinity, 2 ** 53, -(2 ** 53)]) same(n);
  });

  it('leaves out keys named __proto__, and goes on after a value that it refused', () => {
    const value = JSON.parse('{"a":{"__proto__":1,"b":"__proto__"}}');
    expect(writer.array([value])).toEqual(Buffer.from(theirs.encode([{ a: { b: '__proto__' } }])));
    for (const refused of [new Date(0), () => 1, Symbol('s'), 1n])
      expect(() => writer.array([1, refused])).toThrow(RangeError);
    same('after that');
  });

  it('keeps its own bytes: what was written before does not change', () => {
    const first = writer.array(['first']);
    writer.array(['other']);
    expect(first).toEqual(Buffer.from(theirs.encode(['first'])));
  });
});
