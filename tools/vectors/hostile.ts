import {
  BODY_BYTES_MAX,
  FRAME,
  FRAME_ALIGN,
  FRAME_HEADER_BYTES,
  FRAME_KIND,
  SALT_BYTES,
} from '../../src/journal/format/format.ts';
import { bytesOf, flipped, patched } from './bytes.ts';
import {
  type Draft,
  draft,
  draftOf,
  drafts,
  FIRST,
  frameAt,
  frameBytesOf,
  type Segment,
  segment,
  withBytes,
} from './compose.ts';
import { nested } from './envelopes.ts';
import { mendFrameHeader } from './mend.ts';
import type { MadeVector } from './model.ts';
import * as m from './msgpack.ts';
import { damage, eventsOf, journal } from './vector.ts';

/** Bytes made to mislead a reader of active segments. Their checksums are sound where that helps to mislead. */
export function hostileVectors(): MadeVector[] {
  return [...embedded(), ...pasted(), ...fields(), ...payloads()];
}

/** An event that carries the bytes of event 1's frame, at a place where frames may start. */
function embedded(): MadeVector[] {
  const one = segment('embedded', FIRST, drafts('embedded', 2));
  const inner = frameBytesOf(one, 1);
  const carrier = (pad: number): Draft =>
    draft('carrier', { data: Buffer.concat([Buffer.alloc(pad), inner]) });
  const build = (pad: number): Segment =>
    segment('embedded', FIRST, [...drafts('embedded', 2), carrier(pad), draft('embedded 4')]);
  const pads = Array.from({ length: FRAME_ALIGN }, (_, pad) => pad);
  const aligned = pads.find(
    (pad) => build(pad).bytes.indexOf(inner, frameAt(one, 2).offset) % 8 === 0,
  )!;
  const made = build(aligned);
  const { offset } = frameAt(made, 3);
  return [
    journal(
      'hostile/embedded-frame',
      'A payload that holds a whole frame of the same segment is one event.',
      [made],
    ),
    journal(
      'hostile/embedded-frame-exposed',
      'The header before that payload is damaged: the frame inside it must not be replayed.',
      [withBytes(made, flipped(made.bytes, offset + FRAME.bodyBytes))],
      {
        events: eventsOf([made], [3]),
        damage: [damage('header', made, offset, 3, 3)],
      },
    ),
  ];
}

function pasted(): MadeVector[] {
  const made = segment('pasted into', FIRST, drafts('pasted', 3));
  const other = segment('pasted from', FIRST, drafts('pasted', 4));
  const add = (frame: Buffer): Segment => withBytes(made, Buffer.concat([made.bytes, frame]));
  const tail = damage('tail', made, made.bytes.length, 4, null);
  const third = frameAt(made, 3);
  return [
    journal(
      'hostile/pasted-other-segment',
      'A frame of another segment, at the same offset and with the right seq and chain.',
      [add(frameBytesOf(other, 4))],
      { damage: [tail] },
    ),
    journal(
      'hostile/pasted-other-offset',
      'A frame of this segment, pasted again at its end.',
      [add(frameBytesOf(made, 3))],
      { damage: [tail] },
    ),
    journal(
      'hostile/pasted-over',
      'A frame written over by another one of the same length.',
      [withBytes(made, patched(made.bytes, third.offset, frameBytesOf(made, 2)))],
      {
        events: eventsOf([made], [3]),
        damage: [damage('tail', made, third.offset, 3, null)],
      },
    ),
  ];
}

/** One field of the third of four headers says what it may not say, and the header's checksum is sound. */
function fields(): MadeVector[] {
  const made = segment('fields', FIRST, drafts('field', 4));
  const { offset } = frameAt(made, 3);
  const set = (name: string, why: string, edit: (header: Buffer) => void): MadeVector => {
    const bytes = Buffer.from(made.bytes);
    edit(bytes.subarray(offset, offset + FRAME_HEADER_BYTES));
    return journal(`hostile/${name}`, why, [withBytes(made, mendFrameHeader(bytes, offset))], {
      events: eventsOf([made], [3]),
      damage: [damage('header', made, offset, 3, 3)],
    });
  };
  return [
    set('body-too-long', 'A body one byte longer than the limit.', (h) =>
      h.writeUInt32LE(BODY_BYTES_MAX + 1, FRAME.bodyBytes),
    ),
    set('body-4-gib', 'A body length of 2^32 - 1.', (h) =>
      h.writeUInt32LE(0xffff_ffff, FRAME.bodyBytes),
    ),
    set('body-only-salt', 'An event whose body has no payload.', (h) =>
      h.writeUInt32LE(SALT_BYTES, FRAME.bodyBytes),
    ),
    set('skippable-only-salt', 'A frame of kind 130 whose body has no payload.', (h) => {
      h.writeUInt8(130, FRAME.kind);
      h.writeUInt32LE(SALT_BYTES, FRAME.bodyBytes);
    }),
    set('unknown-kind', 'Kind 5 is unknown and may not be skipped.', (h) =>
      h.writeUInt8(5, FRAME.kind),
    ),
    set('unknown-flag', 'A flag that this version does not know.', (h) =>
      h.writeUInt8(0x40, FRAME.flags),
    ),
    set('tombstone-with-body', 'A tombstone with a body.', (h) =>
      h.writeUInt8(FRAME_KIND.tombstone, FRAME.kind),
    ),
    set('header-bytes', 'A header of another length.', (h) =>
      h.writeUInt16LE(136, FRAME.headerBytes),
    ),
    set('seq-too-large', 'A seq of 2^53.', (h) => h.writeBigUInt64LE(2n ** 53n, FRAME.seq)),
    set('seq-goes-back', 'A seq that was there before.', (h) => h.writeBigUInt64LE(1n, FRAME.seq)),
  ];
}

const PROTO = Buffer.concat([
  Buffer.from([0x81]),
  m.str8('__proto__'),
  Buffer.from([0x81]),
  m.str8('polluted'),
  m.fix(1),
]);

/** Sound frames whose payloads no reader may decode: the event is there, its `data` is refused. */
function payloads(): MadeVector[] {
  const refused = { refused: true } as const;
  const one = (name: string, why: string, hostile: Draft): MadeVector =>
    journal(`hostile/${name}`, why, [segment(name, FIRST, [hostile, draft(`after ${name}`)])]);
  const raw = (name: string, why: string, data: Buffer): MadeVector =>
    one(name, why, m.rawDraft(name, data, refused));
  const notAnEnvelope = {
    ...draftOf('not an envelope', '', Buffer.from([0xc0])),
    type: null,
    expect: refused,
  };
  return [
    one('nested-65', 'One level deeper than a reader takes.', nested(65, refused)),
    one('nested-100000', 'Arrays in arrays, 100,000 deep.', nested(100_000, refused)),
    raw(
      'map-4-gi',
      'A map that announces 2^32 - 1 entries.',
      Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff]),
    ),
    raw(
      'array-4-gi',
      'An array that announces 2^32 - 1 elements.',
      Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]),
    ),
    raw(
      'string-4-gib',
      'A string that announces 4 GiB.',
      Buffer.from([0xdb, 0xff, 0xff, 0xff, 0xff]),
    ),
    raw('proto-key', 'A map with the key `__proto__`.', PROTO),
    raw('number-key', 'A map whose key is not a string.', Buffer.from([0x81, 0x01, 0x02])),
    raw('extension', 'An extension type (a timestamp).', Buffer.from([0xd6, 0xff, 0, 0, 0, 1])),
    raw('never-used', 'The byte 0xc1, which MessagePack never uses.', Buffer.from([0xc1])),
    raw('data-cut', 'An array of two with one element.', Buffer.from([0x92, 0x01])),
    raw('data-trailing', 'Bytes behind `data`.', Buffer.from([0xc0, 0xc0])),
    raw('data-noise', 'Bytes that are no MessagePack.', bytesOf('noise', 40)),
    one(
      'duplicate-key',
      'A map with the same key twice: the last one counts.',
      m.rawDraft(
        'duplicate-key',
        m.map16([m.str8('a'), m.fix(1), m.str8('b'), m.fix(3), m.str8('a'), m.fix(2)]),
        { data: { a: 2, b: 3 } },
      ),
    ),
    one(
      'version-odd',
      'A version and a time that no writer writes: they are numbers, so the event is read.',
      m.rawDraft('version-odd', m.fix(7), { data: 7 }, { version: 0.5, at: -1.5 }),
    ),
    one('not-an-envelope', 'A payload that is MessagePack and no envelope.', notAnEnvelope),
  ];
}
