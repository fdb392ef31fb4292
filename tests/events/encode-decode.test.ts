import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/events/catalogue.ts';
import { decodeEvent } from '../../src/events/decode.ts';
import { type Draft, encodeEvent } from '../../src/events/encode.ts';
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { decodeEnvelope, encodeEnvelope, typeTag } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

const draft: Draft<'tool.called'> = {
  id: Buffer.alloc(16, 0xab),
  type: 'tool.called',
  session: 's',
  agent: 'a9',
  client: 'claude-code',
  source: 'hook',
  at: 1_795_256_011_702,
  data: { toolUseId: 't1', name: 'Bash', input: { command: 'ls', n: [1, null, 'ä'] } },
};

const entryOf = ({ id, typeTag: tag, payload }: NewEvent, seq = 7): Entry =>
  ({ kind: FRAME_KIND.event, seq, id, typeTag: tag, payload }) as Entry;

const bodyOf = (fields: object): Entry => {
  const { id, ...envelope } = draft;
  return entryOf({
    id,
    typeTag: 0,
    durability: 'process',
    payload: encodeEnvelope({ ...envelope, version: 1, ...fields }),
  });
};

describe('a draft', () => {
  test('comes back as the event that it was, with its seq', () => {
    const event = decodeEvent(entryOf(encodeEvent(draft, xxh64)))!;
    const { id, ...rest } = draft;
    const { version, data } = event;
    const whole = { ...rest, id: id.toString('hex'), seq: 7, version: 1 };
    expect({ ...event, version, data }).toEqual(whole);
  });

  test('gets its type’s version, tag and durability', () => {
    const event = encodeEvent(draft, xxh64);
    expect(event.typeTag).toBe(typeTag('tool.called', xxh64));
    expect(event.durability).toBe(CATALOGUE['tool.called'].durability);
    expect(decodeEnvelope(event.payload).version).toBe(CATALOGUE['tool.called'].version);
  });

  test.each([
    [5.9, 5],
    [0, 0],
    [null, null],
    [-1, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER + 2, null],
  ])('that says it happened at %s happened at %s', (at, expected) => {
    expect(decodeEvent(entryOf(encodeEvent({ ...draft, at }, xxh64)))?.at).toBe(expected);
  });
});

describe('an entry', () => {
  test('whose body was erased is no event', () => {
    expect(
      decodeEvent({ ...entryOf(encodeEvent(draft, xxh64)), kind: FRAME_KIND.tombstone }),
    ).toBeUndefined();
  });

  test('whose body is no envelope is no event', () => {
    const entry = entryOf({ ...encodeEvent(draft, xxh64), payload: Buffer.from('nonsense') });
    expect(decodeEvent(entry)).toBeUndefined();
  });

  test('whose data cannot be decoded is one, and says so', () => {
    const { payload } = encodeEvent({ ...draft, data: 'x'.repeat(40) as never }, xxh64);
    const cut = entryOf({ ...encodeEvent(draft, xxh64), payload: payload.subarray(0, -10) });
    const event = decodeEvent(cut)!;
    expect(event.type).toBe('tool.called');
    expect(event.data).toEqual({ undecodable: expect.any(String) });
  });

  test('is decoded as far as it is looked at', () => {
    const { payload } = encodeEvent(draft, xxh64);
    const event = decodeEvent(entryOf({ ...encodeEvent(draft, xxh64), payload }))!;
    // What was not looked at may change meanwhile: the head is not read again.
    payload.fill(0xc1, payload.length - 20);
    expect(event.session).toBe('s');
    expect(event.data).toEqual({ undecodable: expect.any(String) });
  });

  test('of an unknown type, or of a later version, comes as it is', () => {
    expect(decodeEvent(bodyOf({ type: 'later.thing', version: 3, data: { a: 1 } }))).toMatchObject({
      type: 'later.thing',
      version: 3,
      data: { a: 1 },
    });
    expect(decodeEvent(bodyOf({ version: 99, data: [1] }))).toMatchObject({
      version: 99,
      data: [1],
    });
  });
});
