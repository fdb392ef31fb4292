import { decode, encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeEnvelope,
  decodeHead,
  type Envelope,
  encodeEnvelope,
  typeTag,
} from '../../../src/journal/format/envelope.ts';
import { DEPTH_MAX, readMsgpack } from '../../../src/journal/format/msgpack-read.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';

const base: Envelope = {
  type: 'prompt.submitted',
  version: 1,
  session: 's-1',
  agent: null,
  client: 'claude-code',
  source: 'hook',
  at: 1_767_225_600_000,
  data: { text: 'hi' },
};
const fieldsOf = (e: Envelope) => [
  e.type,
  e.version,
  e.session,
  e.agent,
  e.client,
  e.source,
  e.at,
  e.data,
];

const word = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 20 }));
const longWord = fc.integer({ min: 0, max: 70_000 }).map((length) => 'ä'.repeat(length));
const text = fc.oneof({ weight: 9, arbitrary: word }, { weight: 1, arbitrary: longWord });
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }));
const envelopes: fc.Arbitrary<Envelope> = fc.record({
  type: text,
  version: number,
  session: nullable(text),
  agent: nullable(text),
  client: nullable(text),
  source: text,
  at: nullable(number),
  data: fc.jsonValue(),
});

/** What is no UTF-8 comes out of @msgpack/msgpack as whatever characters. */
const hasBadText = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\ufffd')
    : typeof value === 'object' &&
      value !== null &&
      !ArrayBuffer.isView(value) &&
      Object.entries(value).some((field) => field.some(hasBadText));

/** -0 is an integer to MessagePack and has no sign there. */
const unsigned = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner) => (Object.is(inner, -0) ? 0 : inner)));

describe('the head of an envelope, read by hand', () => {
  it('is what @msgpack/msgpack decodes, whatever the fields, and data starts where it says', () => {
    fc.assert(
      fc.property(envelopes, (envelope) => {
        const bytes = encodeEnvelope(envelope);
        const { dataOffset, ...head } = decodeHead(bytes);
        const decoded = decode(bytes) as unknown[];
        expect(fieldsOf({ ...head, data: decoded[7] })).toEqual(decoded);
        expect(decode(bytes.subarray(dataOffset))).toEqual(decoded[7]);
      }),
      { numRuns: 500 },
    );
  });

  it('is what @msgpack/msgpack decodes for every width of number and string', () => {
    const numbers = [
      0,
      127,
      128,
      255,
      256,
      65535,
      65536,
      2 ** 32 - 1,
      2 ** 32,
      Number.MAX_SAFE_INTEGER,
    ];
    for (const at of [...numbers, ...numbers.map((n) => -n), -1, -32, -33, -128, -129, 0.5, -2.25])
      expect(decodeHead(encodeEnvelope({ ...base, at })).at, `${at}`).toBe(at === 0 ? 0 : at);
    for (const length of [0, 31, 32, 255, 256, 65535, 65536])
      expect(
        decodeHead(encodeEnvelope({ ...base, session: 's'.repeat(length) })).session,
      ).toHaveLength(length);
    const float32 = encode(fieldsOf({ ...base, at: 0.25 }), { forceFloat32: true });
    expect(decodeHead(Buffer.from(float32)).at).toBe(0.25);
  });

  it('is refused with a RangeError, never worse, at every truncation and for any bytes', () => {
    const bytes = encodeEnvelope({ ...base, client: 'c'.repeat(300), agent: 'a'.repeat(70_000) });
    const headEnd = decodeHead(bytes).dataOffset;
    const lengths = [
      ...Array(400).keys(),
      ...Array.from({ length: 100 }, (_, i) => headEnd - 1 - i),
    ];
    for (const length of lengths)
      expect(() => decodeHead(bytes.subarray(0, length))).toThrow(RangeError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (tail) => {
        const hostile = Buffer.concat([Buffer.from([0x98]), tail]);
        try {
          decodeHead(hostile);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['an array of another length', encode([1, 2, 3])],
    ['a map', encode({ type: 'x' })],
    ['a number for the type', encode([1, 1, null, null, null, 's', null, 0])],
    ['a string for the version', encode(['t', 'v', null, null, null, 's', null, 0])],
    ['nil for the source', encode(['t', 1, null, null, null, null, null, 0])],
    ['nothing', new Uint8Array(0)],
  ])('is refused when it is %s', (_, bytes) => {
    expect(() => decodeHead(Buffer.from(bytes))).toThrow(RangeError);
  });
});

describe('an envelope', () => {
  it('comes back as it was put in', () => {
    fc.assert(
      fc.property(envelopes, (envelope) => {
        const hasProto = JSON.stringify(envelope.data).includes('__proto__');
        fc.pre(!hasProto);
        expect(unsigned(decodeEnvelope(encodeEnvelope(envelope)))).toEqual(unsigned(envelope));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps binaries, and leaves out what is undefined', () => {
    const data = { bytes: new Uint8Array([1, 2, 3]), none: undefined, list: [1, undefined] };
    expect(decodeEnvelope(encodeEnvelope({ ...base, data })).data).toEqual({
      bytes: Buffer.from([1, 2, 3]),
      list: [1, null],
    });
  });

  it('loses keys named __proto__, at any depth, and nothing else', () => {
    const data = JSON.parse(
      '{"__proto__":{"evil":1},"a":[{"__proto__":2,"b":"__proto__"}],"c":null,"d":1.5}',
    );
    data.bytes = new Uint8Array([7]);
    const decoded = decodeEnvelope(encodeEnvelope({ ...base, data })).data as Record<
      string,
      unknown
    >;
    expect(decoded).toEqual({
      a: [{ b: '__proto__' }],
      c: null,
      d: 1.5,
      bytes: Buffer.from([7]),
    });
    expect(decoded.evil).toBeUndefined();
    expect(({} as Record<string, unknown>).evil).toBeUndefined();
  });

  it('refuses what MessagePack cannot say', () => {
    for (const data of [{ when: new Date(0) }, { f: () => 1 }, { s: Symbol('s') }, { big: 1n }])
      expect(() => encodeEnvelope({ ...base, data })).toThrow();
    expect(encodeEnvelope(base).length).toBeGreaterThan(0); // and goes on after that
  });
});

/** `depth` arrays around a number. */
const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = [value];
  return value;
};

describe('nesting', () => {
  it('may be as deep as the limit and not deeper, when encoding and when decoding', () => {
    const deepest = encodeEnvelope({ ...base, data: nested(DEPTH_MAX) });
    expect(decodeEnvelope(deepest).data).toEqual(nested(DEPTH_MAX));
    expect(() => encodeEnvelope({ ...base, data: nested(DEPTH_MAX + 1) })).toThrow(/deep/i);
    const tooDeep = encode(nested(DEPTH_MAX + 1), { maxDepth: 1000 });
    expect(() => readMsgpack(tooDeep)).toThrow(/nested deeper/);
    const maps = Buffer.concat([
      Buffer.alloc((DEPTH_MAX + 1) * 2, Buffer.from([0x81, 0xa0])),
      Buffer.from([1]),
    ]);
    expect(() => readMsgpack(maps)).toThrow(/nested deeper/);
  });

  it('of a hundred thousand levels does not overflow any stack', () => {
    expect(() => readMsgpack(Buffer.alloc(100_000, 0x91))).toThrow(RangeError);
  });
});

describe('hostile data', () => {
  it.each([
    ['an array that announces 2^32 - 1 values', 'ddffffffff'],
    ['an array 16 that announces more than there is', 'dcffff01'],
    ['a map that announces 2^32 - 1 pairs', 'dfffffffff'],
    ['a map 16 that announces more than there is', 'deffffa161'],
    ['a string longer than the bytes', 'dbffffffff6161'],
    ['a string 16 longer than the bytes', 'daffff61'],
    ['a string 8 longer than the bytes', 'd9ff61'],
    ['a binary longer than the bytes', 'c6ffffffff61'],
    ['a binary 16 longer than the bytes', 'c5ffff61'],
    ['a length that is itself cut off', 'db0000'],
    ['an array length that is cut off', 'dd00'],
    ['a map length that is cut off', 'de'],
    ['the byte that is never used', 'c1'],
    ['an extension without content', 'c70005'],
    ['a timestamp', 'd6ff00000000'],
    ['a key that is a number', '8101a161'],
    ['a key that is a map', '8180a161'],
    ['the key __proto__', '81a95f5f70726f746f5f5f01'],
    ['bytes behind the value', '0101'],
    ['nothing', ''],
  ])('is refused without harm: %s', (_, hex) => {
    expect(() => readMsgpack(Buffer.from(hex, 'hex'))).toThrow();
  });

  it('is read when it is merely large: as many values as an event can hold', () => {
    const many = Array.from({ length: 300_000 }, () => 0);
    expect(readMsgpack(encode(many))).toHaveLength(300_000);
  });

  it('of any bytes is decoded as @msgpack/msgpack does, or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (bytes) => {
        let ours: unknown;
        try {
          ours = readMsgpack(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          return;
        }
        fc.pre(!hasBadText(ours));
        expect(ours).toEqual(decode(bytes));
      }),
      { numRuns: 5000 },
    );
  });

  it('takes keys in any form that MessagePack has for a text', () => {
    for (const hex of ['a161', 'd90161', 'da000161', 'db0000000161'])
      expect(readMsgpack(Buffer.from(`81${hex}05`, 'hex'))).toEqual({ a: 5 });
  });

  it('says where a text is no UTF-8, as its head does', () => {
    const bad = Buffer.from([0xa3, 0x61, 0xff, 0x62]);
    expect(readMsgpack(bad)).toBe('a\ufffdb');
    expect(readMsgpack(Buffer.concat([Buffer.from([0x81]), bad, bad]))).toEqual({
      'a\ufffdb': 'a\ufffdb',
    });
  });

  it('keeps the first character of every text, also where that is a byte order mark', () => {
    for (const text of ['\ufeffa', `\ufeff${'a'.repeat(300)}`])
      expect(decodeEnvelope(encodeEnvelope({ ...base, data: { text } })).data).toEqual({ text });
  });

  it('built from every kind of value is decoded as @msgpack/msgpack does', () => {
    const value = fc.anything({
      withDate: false,
      withTypedArray: true,
      maxDepth: 5,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(value, (data) => {
        let bytes: Uint8Array;
        try {
          bytes = encode(data);
          decode(bytes, { mapKeyConverter: String as never });
        } catch {
          return;
        }
        expect(readMsgpack(bytes)).toEqual(decode(bytes));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a type tag', () => {
  it('is the low half of the XXH64 of the name', () => {
    expect(typeTag('ben10', xxh64)).toBe(0x80508e4b);
    expect(typeTag('', xxh64)).toBe(0x51d8e999);
  });
});
