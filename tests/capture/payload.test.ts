import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packsInto } from '../../src/capture/packed-bytes.ts';
import {
  type BlobReference,
  DATA_BYTES_MAX,
  DEPTH_MAX,
  HEAD_CHARS,
  ITEMS_MAX,
  preparePayload,
} from '../../src/capture/payload.ts';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { INLINE_BYTES_MAX } from '../../src/journal/append/blobs.ts';
import { encodeEnvelope } from '../../src/journal/format/envelope.ts';
import { BODY_BYTES_MAX } from '../../src/journal/format/format.ts';
import { readMsgpack } from '../../src/journal/format/msgpack-read.ts';

const { options } = compileRedaction(undefined);
const KEY = `sk-ant-api03-${'A1b2C3d4'.repeat(12)}-AbCdEfAA`;

function prepare<T>(data: T): { kept: T; blobs: string[] } {
  const blobs: string[] = [];
  const kept = preparePayload(data, options, (bytes) => {
    blobs.push(bytes.toString());
    return `blob ${blobs.length}`;
  });
  return { kept, blobs };
}

const packed = (data: unknown): Buffer =>
  encodeEnvelope({
    type: 'hook.received',
    version: 1,
    session: 's',
    agent: null,
    client: 'c',
    source: 'hook',
    at: 1,
    data,
  });

test('what needs no change is handed on as it is, and not copied', () => {
  const data = { a: [{ b: 'x', n: Number.NaN }], c: { d: null } };
  const { options } = compileRedaction();
  expect(preparePayload(data, options, () => 'blob')).toBe(data);
  const large = { ...data, text: 'x'.repeat(INLINE_BYTES_MAX + 1) };
  const kept = preparePayload<Record<string, unknown>>(large, options, () => 'blob');
  expect([kept.a === data.a, kept.c === data.c]).toEqual([true, true]);
  expect(large.text).toHaveLength(INLINE_BYTES_MAX + 1);
  expect(Object.keys(kept)).toEqual(['a', 'c', 'text']);
});

describe('a large text', () => {
  test('stays in the event up to the limit, and goes to a blob beyond it', () => {
    const fits = 'x'.repeat(INLINE_BYTES_MAX);
    expect(prepare({ text: fits })).toEqual({ kept: { text: fits }, blobs: [] });
    const { kept, blobs } = prepare({ text: `${fits}y` });
    expect(kept.text).toEqual({
      $blob: 'blob 1',
      bytes: INLINE_BYTES_MAX + 1,
      head: 'x'.repeat(HEAD_CHARS),
    });
    expect(blobs).toEqual([`${fits}y`]);
  });

  test('is measured in bytes', () => {
    const fits = 'ä'.repeat(INLINE_BYTES_MAX / 2);
    expect(prepare({ text: fits }).blobs).toEqual([]);
    expect(prepare({ text: `${fits}x` }).blobs).toHaveLength(1);
  });

  test('has a head that never ends in half a character', () => {
    const { kept } = prepare({ text: `x${'😀'.repeat(INLINE_BYTES_MAX)}` });
    expect((kept.text as unknown as BlobReference).head.isWellFormed()).toBe(true);
  });

  test('is never what a map from outside says that it is', () => {
    const claimed = { $blob: 'a'.repeat(64), bytes: 3, head: 'abc', list: [{ $blob: 'x' }] };
    const { kept, blobs } = prepare({ input: claimed });
    const { $blob, list: _, ...others } = claimed;
    expect(kept).toEqual({ input: { ...others, $$blob: $blob, list: [{ $$blob: 'x' }] } });
    expect(blobs).toEqual([]);
  });

  test('is found however deep it lies', () => {
    const { kept } = prepare({ input: { list: [{ content: 'x'.repeat(INLINE_BYTES_MAX + 1) }] } });
    expect(kept.input.list[0]?.content).toMatchObject({ $blob: 'blob 1' });
  });
});

describe('a secret', () => {
  test('is out of the event, of the head and of the blob', () => {
    const { kept, blobs } = prepare({
      short: KEY,
      long: `${KEY} ${'x'.repeat(INLINE_BYTES_MAX)} ${KEY}`,
      [KEY]: 1,
    });
    expect(JSON.stringify([kept, blobs])).not.toContain(KEY);
    expect(JSON.stringify(kept)).toContain('[REDACTED:');
    expect(blobs[0]).toContain('[REDACTED:');
  });
});

describe('data that would not fit', () => {
  test('of many small values goes to blobs field by field, as JSON', () => {
    const lines = Array.from({ length: 3000 }, (_, n) => `${n} ${'x'.repeat(400)}`);
    const { kept, blobs } = prepare({ toolUseId: 't1', input: { lines } });
    expect(kept).toEqual({
      toolUseId: 't1',
      input: { $blob: 'blob 1', bytes: expect.any(Number), head: expect.any(String) },
    });
    expect(JSON.parse(blobs[0]!)).toEqual({ lines });
  });

  test('of many values and a large one goes as a whole: nobody looks for a reference within a text', () => {
    const big = 'y'.repeat(INLINE_BYTES_MAX + 1);
    const small = Array.from({ length: 22 }, (_, n) => `${n} ${'x'.repeat(60_000)}`);
    const { kept, blobs } = prepare({ input: { big, small }, other: { big } });
    expect(blobs.map((blob) => blob.length)).toEqual([
      JSON.stringify({ big, small }).length,
      big.length,
    ]);
    expect(JSON.parse(blobs[0]!)).toEqual({ big, small });
    expect(kept).toMatchObject({ input: { $blob: 'blob 1' }, other: { big: { $blob: 'blob 2' } } });
  });

  test('is measured as it is packed: numbers take more there than in JSON', () => {
    const numbers = Array.from({ length: 5 }, () => Array.from({ length: 40_000 }, () => 0.5));
    expect(JSON.stringify(numbers).length).toBeLessThan(DATA_BYTES_MAX);
    const { kept } = prepare({ input: numbers });
    expect(kept.input).toMatchObject({ $blob: 'blob 1' });
    expect(packed(kept).length).toBeLessThan(BODY_BYTES_MAX);
  });

  test('has lists and objects of at most so many items, which readers take', () => {
    const list = Array.from({ length: ITEMS_MAX }, () => true);
    expect(prepare({ input: list }).blobs).toEqual([]);
    expect(prepare({ input: [...list, true] }).blobs).toHaveLength(1);
    const wide = Object.fromEntries(Array.from({ length: ITEMS_MAX + 1 }, (_, n) => [n, 0]));
    expect(prepare({ input: { deep: [wide] } }).blobs).toHaveLength(1);
  });

  test('is cut where it is nested too deep', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'end' : [nested(depth - 1)]);
    expect(JSON.stringify(prepare(nested(DEPTH_MAX)).kept)).toContain('end');
    const deep = prepare(nested(DEPTH_MAX + 1)).kept;
    expect(JSON.stringify(deep)).toContain('[nested too deep]');
    expect(readMsgpack(packed(deep).subarray(-200))).toBeDefined();
  });

  test('of 100 MB takes no more than it has to', { tags: 'long' }, () => {
    const text = 'All work and no play makes Jack a dull boy. '.repeat(2_300_000);
    const { kept, blobs } = prepare({ response: { stdout: text, stderr: '' } });
    expect(blobs[0]).toHaveLength(text.length);
    expect(packed(kept).length).toBeLessThan(5000);
  });
});

describe('odd values', () => {
  test('halves of surrogate pairs become U+FFFD, NUL stays', () => {
    expect(prepare({ text: 'a\ud800b\0' }).kept).toEqual({ text: 'a\ufffdb\0' });
  });

  test('a name that would set a prototype is left out', () => {
    const { kept } = prepare(JSON.parse('{"input": {"__proto__": {"a": 1}, "b": 2}}'));
    expect(kept.input).toEqual({ b: 2 });
    expect(Object.getPrototypeOf(kept.input)).toBe(Object.prototype);
  });

  test('whatever it is, it can be written and read again', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const { kept } = prepare({ input: JSON.parse(JSON.stringify(value)) });
        const bytes = packed(kept);
        expect(bytes.length).toBeLessThan(BODY_BYTES_MAX);
        expect(JSON.stringify(readMsgpack(bytes.subarray(bytes.length - packedData(kept))))).toBe(
          JSON.stringify(kept),
        );
      }),
      { numRuns: 300 },
    );
  });
});

const packedData = (data: unknown): number => packed(data).length - packed(null).length + 1;

describe('what a value takes packed', () => {
  test('is never said to be less than it is', () => {
    const value = fc.jsonValue({ maxDepth: 6 });
    fc.assert(
      fc.property(value, fc.nat(400), (one, limit) => {
        const data = JSON.parse(JSON.stringify(one));
        if (packsInto(data, limit, 100)) expect(packedData(data)).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 1000 },
    );
  });

  test('is counted exactly enough that large texts are let in', () => {
    expect(packsInto('x'.repeat(995), 1000, 1)).toBe(true);
    expect(packsInto('x'.repeat(996), 1000, 1)).toBe(false);
    expect(packsInto(['a', 'b'], 1000, 1)).toBe(false);
  });
});
