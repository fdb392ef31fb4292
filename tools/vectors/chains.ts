import {
  CHUNK,
  FOOTER_BYTES,
  FRAME,
  FRAME_HEADER_BYTES,
  SEGMENT,
} from '../../src/journal/format/format.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { bytesOf, flipped } from './bytes.ts';
import {
  after,
  draft,
  drafts,
  FIRST,
  frameAt,
  type Segment,
  segment,
  withBytes,
} from './compose.ts';
import { mendFooter, mendFrameBody, mendFrameHeader, mendSegmentHeader } from './mend.ts';
import type { MadeVector } from './model.ts';
import { type Parts, placesOf, putTogether, sealed, takeApart } from './sealed.ts';
import { skippable } from './valid.ts';
import { threeChunks } from './valid-sealed.ts';
import { damage, eventsOf, journal } from './vector.ts';

/** Which chains are compared around damage, and where counting goes on. */
export function chainVectors(zstd: Codec): MadeVector[] {
  return [
    ...behindLostBodies(),
    behindGap(),
    behindTail(),
    skippedCommit(),
    headerThenBody(),
    ...overlapping(),
    ...sealedChains(zstd),
    forkedAndDigest(zstd),
  ];
}

/** The stored chain of an event is another one, under a sum that fits. */
function withOtherChain(made: Segment, seq: number): Segment {
  const { offset } = frameAt(made, seq);
  return withBytes(made, mendFrameHeader(flipped(made.bytes, offset + FRAME.chain), offset));
}

const withoutBody = (made: Segment, seq: number): Segment =>
  withBytes(made, flipped(made.bytes, frameAt(made, seq).offset + FRAME_HEADER_BYTES + 20));

const withOtherPrevChain = (made: Segment): Segment =>
  withBytes(made, mendSegmentHeader(flipped(made.bytes, SEGMENT.prevChain)));

function behindLostBodies(): MadeVector[] {
  const made = segment('chain body', FIRST, drafts('chain body', 4));
  const next = segment('chain body next', after(made), drafts('chain body next', 2));
  const lost = (seq: number) => {
    const { offset } = frameAt(made, seq);
    return {
      events: eventsOf([made, ...(seq === 4 ? [next] : [])], [seq]),
      damage: [damage('body', made, offset, seq, seq)],
    };
  };
  return [
    journal(
      'corrupt/chain-body-lost',
      'A lost body, and a stored chain before it that does not fit: neither its own chain nor the next one is compared.',
      [withoutBody(withOtherChain(made, 3), 3)],
      lost(3),
    ),
    journal(
      'corrupt/chain-last-body-lost',
      'The same in the last event of a segment: the prevChain of the next one is not compared.',
      [withoutBody(withOtherChain(made, 4), 4), next],
      lost(4),
    ),
  ];
}

function behindGap(): MadeVector {
  const made = segment('chain gap', FIRST, [
    ...drafts('chain gap', 2),
    { ...draft('chain gap 4'), skip: 1 },
  ]);
  return journal(
    'corrupt/chain-behind-gap',
    'Behind missing seqs the stored chain counts, whatever it is.',
    [withOtherChain(made, 4)],
    { damage: [damage('gap', made, frameAt(made, 4).offset, 3, 3)] },
  );
}

function behindTail(): MadeVector {
  const one = segment('chain tail', FIRST, drafts('chain tail', 2));
  const two = segment('chain tail next', after(one), drafts('chain tail next', 2));
  const junk = Buffer.concat([one.bytes, bytesOf('chain tail junk', 200)]);
  return journal(
    'corrupt/chain-behind-tail',
    'A damaged end that costs no event, by the name of the next segment, whose prevChain is compared and wrong.',
    [withBytes(one, junk), withOtherPrevChain(two)],
    {
      damage: [
        damage('tail', one, one.bytes.length, null, null),
        damage('chain', two, 0, 3, null),
        damage('chain', two, frameAt(two, 3).offset, 3, 3),
      ],
    },
  );
}

function skippedCommit(): MadeVector {
  const made = segment('commit skipped', FIRST, skippable());
  const place = frameAt(made, 2);
  const bytes = flipped(made.bytes, place.offset + FRAME_HEADER_BYTES + 40);
  return journal(
    'corrupt/commit-of-skipped-kind',
    'A changed body of kind 130 with a sum that fits: its commitment is checked like an event’s.',
    [withBytes(made, mendFrameBody(bytes, place))],
    { damage: [damage('commit', made, place.offset, 2, 2)] },
  );
}

function headerThenBody(): MadeVector {
  const made = segment('header then body', FIRST, drafts('header then body', 4));
  const { offset } = frameAt(made, 2);
  const bytes = withoutBody(made, 3).bytes;
  return journal(
    'corrupt/header-then-body',
    'Behind a damaged header a frame is taken whose header is sound, also if its body is not.',
    [withBytes(made, flipped(bytes, offset + FRAME.bodyBytes))],
    {
      events: eventsOf([made], [2, 3]),
      damage: [
        damage('header', made, offset, 2, 2),
        damage('body', made, frameAt(made, 3).offset, 3, 3),
      ],
    },
  );
}

/** A segment starts at a seq that was there already: two writers, or a restored file. */
function overlapping(): MadeVector[] {
  const before = segment('overlap', FIRST, drafts('overlap', 3));
  const one = segment('overlap', FIRST, drafts('overlap', 5));
  const longer = segment('overlap longer', after(before), drafts('overlap longer', 4));
  const shorter = segment('overlap shorter', after(before), drafts('overlap shorter', 1));
  const next = segment('overlap next', after(one), drafts('overlap next', 3));
  return [
    journal(
      'corrupt/overlapping',
      'A segment that starts at a seq that was there already: of each seq the first event is given.',
      [one, longer],
      {
        events: [...eventsOf([one]), ...eventsOf([longer], [4, 5])],
        damage: [damage('chain', longer, 0, 4, null)],
      },
    ),
    journal(
      'corrupt/overlapping-inside',
      'One that also ends before that: nothing is missing behind it.',
      [one, shorter, next],
      { events: eventsOf([one, next]), damage: [damage('chain', shorter, 0, 4, null)] },
    ),
    journal(
      'corrupt/overlapping-twice',
      'Two such segments: what the first of them has above all that was read is given.',
      [one, longer, next],
      {
        events: [...eventsOf([one]), ...eventsOf([longer], [4, 5]), ...eventsOf([next], [6, 7])],
        damage: [damage('chain', longer, 0, 4, null), damage('chain', next, 0, 6, null)],
      },
    ),
  ];
}

function sealedChains(zstd: Codec): MadeVector[] {
  const made = sealed(threeChunks('sealed chains'), zstd);
  const next = segment('sealed chains next', after(made), drafts('sealed chains next', 2));
  const [, second, third] = placesOf(made.bytes).chunks as { offset: number }[];
  const edited = (edit: (parts: Parts) => void): Segment => {
    const parts = takeApart(made.bytes);
    edit(parts);
    return withBytes(made, putTogether(parts));
  };
  const otherEnd = ({ chunks }: Parts) => chunks[1]!.header.fill(7, CHUNK.endChain, CHUNK.checksum);
  const behind = damage('chain', made, third!.offset, 5, 6);
  return [
    journal(
      'corrupt/sealed-chain-stored-edited',
      'A chunk’s endChain was changed and every sum mended: neither it nor the next one fits.',
      [edited(otherEnd)],
      { damage: [damage('chain', made, second!.offset, 3, 4), behind] },
    ),
    journal(
      'corrupt/sealed-chain-behind-lost-chunk',
      'The same, and that chunk is lost: its endChain counts, so the next one does not fit.',
      [
        edited((parts) => {
          otherEnd(parts);
          parts.chunks[1]!.stored.fill(0x99);
        }),
      ],
      {
        events: eventsOf([made], [3, 4]),
        damage: [damage('chunk', made, second!.offset, 3, 4), behind],
      },
    ),
    journal(
      'corrupt/sealed-last-chunk-and-chain',
      'The last chunk of a segment is lost, not its endChain: the prevChain of the next one is compared with it, and wrong.',
      [withBytes(made, flipped(made.bytes, third!.offset + 140)), withOtherPrevChain(next)],
      {
        events: eventsOf([made, next], [5, 6]),
        damage: [
          damage('chunk', made, third!.offset, 5, 6),
          damage('chain', next, 0, 7, null),
          damage('chain', next, frameAt(next, 7).offset, 7, 7),
        ],
      },
    ),
  ];
}

/** What is told of a segment's start says nothing of the rest of its file. */
function forkedAndDigest(zstd: Codec): MadeVector {
  const one = segment('forked', FIRST, drafts('forked', 3));
  const forged = segment('forked', FIRST, [...drafts('forked', 2), draft('forged')]);
  const two = sealed(segment('forked next', after(one), drafts('forked next', 2)), zstd);
  const { indexOffset } = placesOf(two.bytes);
  const digest = two.bytes.length - FOOTER_BYTES + 85;
  return journal(
    'corrupt/sealed-forked-and-digest',
    'A sealed segment that follows on another history, with a digest that does not fit: both are told.',
    [forged, withBytes(two, mendFooter(flipped(two.bytes, digest)))],
    {
      events: eventsOf([forged, two]),
      damage: [damage('chain', two, 0, 4, null), damage('index', two, indexOffset, null, null)],
    },
  );
}
