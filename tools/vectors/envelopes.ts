import { encodeEnvelope } from '../../src/journal/format/envelope.ts';
import { BODY_BYTES_MAX, SALT_BYTES } from '../../src/journal/format/format.ts';
import { EPOCH_MS } from './bytes.ts';
import { type Draft, draft, draftOf, envelopeOf } from './compose.ts';
import * as m from './msgpack.ts';

/** Events whose payloads are at the edges of what MessagePack and the envelope allow. */

const TEXTS = {
  plain: 'naïve café, Ωmega, 漢字, שלום, 👩‍👩‍👧‍👦, 𝒳',
  control: 'nul \u0000 bell \u0007 escape \u001b[31m',
  replacement: '\ufffd and \ufeff',
};

export function unicode(): Draft[] {
  const nulls = { session: null, agent: null, client: null, at: null, data: null };
  return [
    { ...draft('texts', { session: 'ß-1', data: TEXTS }), expect: { data: TEXTS } },
    { ...draft('nulls', nulls), expect: { data: null } },
    { ...draft('empty', { session: '', data: { '': [] } }), expect: { data: { '': [] } } },
  ];
}

export function widths(): Draft[] {
  const numbers = m.array16([
    m.fix(0),
    m.fix(127),
    m.fix(-1),
    m.fix(-32),
    m.u8(5),
    m.u8(255),
    m.u16(5),
    m.u16(65_535),
    m.u32(5),
    m.u32(4_294_967_295),
    m.u64(5),
    m.u64(4_294_967_296),
    m.u64(Number.MAX_SAFE_INTEGER),
    m.i8(5),
    m.i8(-128),
    m.i16(5),
    m.i16(-32_768),
    m.i32(5),
    m.i32(-2_147_483_648),
    m.i64(5),
    m.i64(-4_294_967_297),
    m.i64(Number.MIN_SAFE_INTEGER),
    m.f32(0.5),
    m.f64(0.1),
    m.f64(-1e300),
  ]);
  const expected = [
    0,
    127,
    -1,
    -32,
    5,
    255,
    5,
    65_535,
    5,
    4_294_967_295,
    5,
    4_294_967_296,
    Number.MAX_SAFE_INTEGER,
    5,
    -128,
    5,
    -32_768,
    5,
    -2_147_483_648,
    5,
    -4_294_967_297,
    Number.MIN_SAFE_INTEGER,
    0.5,
    0.1,
    -1e300,
  ];
  const rest = m.map32([
    m.str8('a'),
    m.array32([m.str16('b'), m.str32('c')]),
    m.str8('d'),
    m.map16([m.str8('e'), Buffer.from([0xc3])]),
  ]);
  return [
    m.rawDraft('numbers', numbers, { data: expected }),
    m.rawDraft('lengths', rest, { data: { a: ['b', 'c'], d: { e: true } } }),
    wideHead(),
  ];
}

/** The fields before `data` in the longest forms that a reader must take. */
function wideHead(): Draft {
  const payload = Buffer.concat([
    Buffer.from([0x98]),
    m.str32('prompt.submitted'),
    m.u64(1),
    m.str8('s-1'),
    Buffer.from([0xc0]),
    m.str16('claude-code'),
    m.str8('hook'),
    m.u64(EPOCH_MS),
    m.str8('x'),
  ]);
  return { ...draftOf('wide head', 'prompt.submitted', payload), expect: { data: 'x' } };
}

/** An array in an array in an array… around a nil. */
export const nested = (depth: number, expect: Draft['expect']): Draft =>
  m.rawDraft(
    `nested ${depth}`,
    Buffer.concat([Buffer.alloc(depth, 0x91), Buffer.from([0xc0])]),
    expect,
  );

/** The same around an empty array. */
export const nestedEmpty = (depth: number): Draft =>
  m.rawDraft(
    `nested empty ${depth}`,
    Buffer.concat([Buffer.alloc(depth, 0x91), Buffer.from([0x90])]),
    {},
  );

export function atLimit(): Draft {
  const around = encodeEnvelope(envelopeOf('limit', { data: 'x'.repeat(70_000) })).length - 70_000;
  const text = 'limit '.repeat(200_000).slice(0, BODY_BYTES_MAX - SALT_BYTES - around);
  return draft('limit', { data: text });
}
