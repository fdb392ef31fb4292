import { FRAME, FRAME_KIND, SALT_BYTES } from '../../src/journal/format/format.ts';
import { commitOf, encodeFrame } from '../../src/journal/format/frame.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { bytesOf, flipped, sha256 } from './bytes.ts';
import { draft, drafts, FIRST, frameAt, type Segment, segment, withBytes } from './compose.ts';
import type { ExpectedEvent, MadeVector } from './model.ts';
import { damage, eventsOf, journal } from './vector.ts';

/** What every planted frame carries. */
const PLANTED = draft('planted');

/**
 * The third of four events carries frames that were made for exactly their place, and its header is damaged: where
 * a reader goes on is decided by the rule for the next frame alone.
 */
export function plantedVectors(): MadeVector[] {
  const one = carrying([3]);
  const two = carrying([3, 1]);
  const far = carrying([Number.MAX_SAFE_INTEGER]);
  const beside = carrying([3], 4);
  const inner = one.planted[0]!;
  return [
    journal(
      'hostile/planted-frame',
      'A frame planted in a payload: it is taken for one, and the damage and the chain behind it tell.',
      [withBytes(one.made, damaged(one.made))],
      {
        events: [...eventsOf([one.made], [3, 4]), inner.event, ...eventsOf([one.made], [1, 2, 3])],
        damage: [
          damage('header', one.made, frameAt(one.made, 3).offset, null, null),
          damage('header', one.made, inner.end, null, null),
          damage('chain', one.made, frameAt(one.made, 4).offset, 4, 4),
        ],
      },
    ),
    journal(
      'hostile/planted-frame-unlinked',
      'A planted frame directly before a sound one whose chain is not its own is passed over, also if that one has a low seq.',
      [withBytes(two.made, damaged(two.made))],
      {
        events: eventsOf([two.made], [3]),
        damage: [damage('header', two.made, frameAt(two.made, 3).offset, 3, 3)],
      },
    ),
    journal(
      'hostile/planted-frame-far',
      'A planted frame with a seq for which so few damaged bytes have no room is passed over: no seqs would be left.',
      [withBytes(far.made, damaged(far.made))],
      {
        events: eventsOf([far.made], [3]),
        damage: [damage('header', far.made, frameAt(far.made, 3).offset, 3, 3)],
      },
    ),
    journal(
      'hostile/planted-frame-unaligned',
      'A planted frame that does not start at a multiple of 8 is none.',
      [withBytes(beside.made, damaged(beside.made))],
      {
        events: eventsOf([beside.made], [3]),
        damage: [damage('header', beside.made, frameAt(beside.made, 3).offset, 3, 3)],
      },
    ),
  ];
}

const damaged = (made: Segment): Buffer =>
  flipped(made.bytes, frameAt(made, 3).offset + FRAME.bodyBytes);

interface Planted {
  event: ExpectedEvent;
  /** Offset in the file behind it. */
  end: number;
}

/**
 * @param seqs of the planted frames, one directly behind the other; only the first one's chain is right
 * @param beside how many bytes behind a multiple of 8 they start
 */
function carrying(seqs: readonly number[], beside = 0): { made: Segment; planted: Planted[] } {
  const build = (content: Buffer): Segment =>
    segment('planted', FIRST, [
      ...drafts('planted', 2),
      draft('carrier', { data: content }),
      draft('planted 4'),
    ]);
  const salt = bytesOf('planted inner salt', SALT_BYTES);
  const encode = (made: Segment, at: number) => {
    let offset = at;
    const before = segment('planted', FIRST, drafts('planted', 2)).endChain;
    return seqs.map((seq, index) => {
      const entry = {
        ...made.entries[0]!,
        kind: FRAME_KIND.event,
        seq,
        id: bytesOf(`planted inner ${seq}`, 16),
        salt,
        payload: PLANTED.payload,
        commit: commitOf(salt, PLANTED.payload),
      };
      const previousChain = index === 0 ? before : Buffer.alloc(32);
      const place = { salt: made.header.salt, offset, previousChain };
      const { frame } = encodeFrame(entry, place, xxh64);
      offset += frame.length;
      const about = { seq, type: PLANTED.type, id: entry.id.toString('hex') };
      return { frame, end: offset, event: { ...about, sha256: sha256(entry.payload) } };
    });
  };
  // Where the content stands does not depend on what it is: a mark of the same length finds the place.
  const length = encode(build(Buffer.alloc(0)), 0).at(-1)!.end;
  for (let pad = 0; pad < 8; pad += 1) {
    const mark = Buffer.concat([Buffer.alloc(pad), Buffer.alloc(length, 0xee)]);
    const draftOfMark = build(mark);
    const at = draftOfMark.bytes.indexOf(mark.subarray(pad));
    if (at % 8 !== beside) continue;
    const planted = encode(draftOfMark, at);
    const made = build(Buffer.concat([Buffer.alloc(pad), ...planted.map((one) => one.frame)]));
    return { made, planted };
  }
  throw new Error('no padding puts the frames where frames may start');
}
