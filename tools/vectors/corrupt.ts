import {
  FRAME,
  FRAME_HEADER_BYTES,
  FRAME_TRAILER_BYTES,
  SEGMENT,
  SEGMENT_FLAG,
  SEGMENT_HEADER_BYTES,
  TRAILER,
} from '../../src/journal/format/format.ts';
import { flipped, patched, zeroed } from './bytes.ts';
import {
  after,
  draft,
  drafts,
  FIRST,
  frameAt,
  ORIGIN_B,
  type Segment,
  segment,
  withBytes,
} from './compose.ts';
import type { MadeVector } from './model.ts';
import { damage, eventsOf, journal, LOST_MANIFEST, manifestFile } from './vector.ts';

const five = (): Segment => segment('corrupt', FIRST, drafts('corrupt', 5));

/** Active segments whose bytes changed after they were written. */
export function corruptVectors(): MadeVector[] {
  return [
    ...flips(),
    swapped(),
    twoLosses(),
    ...missing(),

    seqGap(),
    afterDamage(),
    ...putRight(),
    allGone(),
    otherOrigin(),
    renamed(),
    manifestFlipped(),
  ];
}

function flips(): MadeVector[] {
  const made = five();
  const at = frameAt(made, 3);
  const body = at.offset + FRAME_HEADER_BYTES;
  const trailer = at.offset + at.bytes - FRAME_TRAILER_BYTES;
  const flip = (name: string, what: string, offset: number, kind: string): MadeVector =>
    journal(
      `corrupt/flip-${name}`,
      `A bit flip in ${what} costs one event and no other.`,
      [withBytes(made, flipped(made.bytes, offset, 5))],
      {
        events: eventsOf([made], [3]),
        damage: [damage(kind, made, at.offset, 3, 3)],
      },
    );
  const mended = (name: string, what: string, offset: number): MadeVector =>
    journal(
      `corrupt/flip-${name}`,
      `One bit flip in ${what} is found and put right: nothing is lost.`,
      [withBytes(made, flipped(made.bytes, offset, 3))],
      { damage: [damage('segment-header', made, 0, null, null)] },
    );
  const lost = flipped(flipped(made.bytes, SEGMENT.salt, 3), SEGMENT.salt + 1);
  return [
    flip('header-magic', "a frame's magic", at.offset, 'header'),
    flip('header-length', "a frame's body length", at.offset + FRAME.bodyBytes + 1, 'header'),
    flip('header-chain', "a frame's chain", at.offset + FRAME.chain + 7, 'header'),
    flip('header-checksum', "a header's checksum", at.offset + FRAME.checksum, 'header'),
    flip('body', 'a body', body + 30, 'body'),
    flip('padding', 'the padding', body + at.bodyBytes, 'body'),
    flip('trailer-checksum', "a body's checksum", trailer, 'body'),
    flip('trailer-length', "a trailer's length", trailer + TRAILER.frameBytes, 'body'),
    flip('trailer-magic', "a trailer's magic", trailer + TRAILER.endMagic + 3, 'body'),
    mended('segment-magic', "a segment's magic", SEGMENT.magic + 6),
    mended('segment-salt', "a segment's salt", SEGMENT.salt),
    mended('segment-reserved', 'the reserved bytes of a segment header', SEGMENT.reserved + 2),
    mended('segment-checksum', "a segment header's checksum", SEGMENT.checksum + 4),
    journal(
      'corrupt/segment-header-two-flips',
      'Two bit flips in a segment header: nothing in the file can be placed.',
      [withBytes(made, lost)],
      { events: [], damage: [damage('segment-header', made, 0, 1, null)] },
    ),
    journal(
      'corrupt/segment-header-version-rotted',
      'The byte of a version rotted, and the checksum does not fit: it is damage, no later version.',
      [withBytes(made, patched(made.bytes, SEGMENT.magic + 7, Buffer.of(0xfe)))],
      { events: [], damage: [damage('segment-header', made, 0, 1, null)] },
    ),
  ];
}

/** Two sectors of 512 bytes exchanged, each inside the body of another event. */
function swapped(): MadeVector {
  const made = segment(
    'swapped',
    FIRST,
    [1, 2, 3, 4].map((n) => draft(`swapped ${n}`, { data: `sector of event ${n} `.repeat(80) })),
  );
  const inside = (seq: number): number => Math.ceil((frameAt(made, seq).offset + 160) / 512) * 512;
  const [a, b] = [inside(1), inside(3)];
  const sector = (at: number): Buffer => made.bytes.subarray(at, at + 512);
  const bytes = patched(patched(made.bytes, a, sector(b)), b, sector(a));
  return journal(
    'corrupt/swapped-sectors',
    'Two sectors came back in each other’s place: both events are lost, no other.',
    [withBytes(made, bytes)],
    {
      events: eventsOf([made], [1, 3]),
      damage: [1, 3].map((seq) => damage('body', made, frameAt(made, seq).offset, seq, seq)),
    },
  );
}

function twoLosses(): MadeVector {
  const made = five();
  const [first, second] = [frameAt(made, 2).offset, frameAt(made, 3).offset];
  const bytes = flipped(flipped(made.bytes, first + FRAME.seq), second + FRAME.id);
  return journal(
    'corrupt/two-headers',
    'Two damaged headers in a row are one stretch; the seqs behind it tell how many are lost.',
    [withBytes(made, bytes)],
    {
      events: eventsOf([made], [2, 3]),
      damage: [damage('header', made, first, 2, 3)],
    },
  );
}

function missing(): MadeVector[] {
  const one = segment('missing 1', FIRST, drafts('missing a', 2));
  const two = segment('missing 2', after(one), drafts('missing b', 3));
  const three = segment('missing 3', after(two), drafts('missing c', 2));
  return [
    journal(
      'corrupt/missing-segment',
      'A segment in the middle is gone; the one behind it tells which seqs.',
      [one, three],
      { damage: [damage('missing', three, 0, 3, 5)] },
    ),
    journal(
      'corrupt/missing-and-header',
      'A segment is gone and the one behind it has lost its header: its name still tells what is missing.',
      [one, withBytes(three, zeroed(three.bytes, 0, 128))],
      {
        events: eventsOf([one]),
        damage: [damage('missing', three, 0, 3, 5), damage('segment-header', three, 0, 6, null)],
      },
    ),
    journal('corrupt/missing-first', 'The first segment is gone.', [two, three], {
      damage: [damage('missing', two, 0, 1, 2)],
    }),
  ];
}

function seqGap(): MadeVector {
  const made = segment('gap', FIRST, [
    ...drafts('gap', 2),
    { ...draft('gap 3'), skip: 4 },
    draft('gap 4'),
  ]);
  return journal('corrupt/seq-gap', 'Sound frames with seqs left out between them.', [made], {
    damage: [damage('gap', made, frameAt(made, 7).offset, 3, 6)],
  });
}

/** What a writer leaves when the damaged end holds events that had been synced: a new segment with a flag. */
function afterDamage(): MadeVector {
  const one = segment('after damage 1', FIRST, drafts('after damage a', 4));
  const { offset } = frameAt(one, 3);
  const kept = segment('after damage 1', FIRST, drafts('after damage a', 2));
  const start = { firstSeq: 5, prevChain: kept.endChain, flags: SEGMENT_FLAG.afterDamage };
  const two = segment('after damage 2', start, drafts('after damage b', 2));
  const bytes = one.bytes.subarray(0, offset + 50);
  return journal(
    'corrupt/opened-after-damage',
    'Synced events were lost at an end: it stays, a flagged segment goes on, and the hole is told once.',
    [withBytes(one, bytes), two],
    {
      events: eventsOf([kept, two]),
      damage: [damage('tail', one, offset, 3, 4)],
    },
  );
}

/** The same, and a repair has put the damaged end right since: the chain goes on from what could be read before that, or from nowhere. */
function putRight(): MadeVector[] {
  const one = segment('put right 1', FIRST, drafts('put right a', 4));
  const known = segment('put right 1', FIRST, drafts('put right a', 2)).endChain;
  const ways = [
    ['valid/put-right', 'the last one that could be read', known],
    ['valid/put-right-unknown', 'none', Buffer.alloc(known.length)],
  ] as const;
  return ways.map(([name, before, prevChain]) => {
    const start = { firstSeq: 5, prevChain, flags: SEGMENT_FLAG.afterDamage };
    const two = segment(`${name} 2`, start, drafts(`${name} b`, 2));
    const about = `A flagged segment was begun behind ${before}, and a repair has put right what is in between: no damage.`;
    return journal(name, about, [one, two]);
  });
}

/** What a writer leaves that found nothing but the sync hint: the first segment goes on behind what that claims. */
function allGone(): MadeVector {
  const start = { ...FIRST, firstSeq: 4, flags: SEGMENT_FLAG.afterDamage };
  const four = segment('all gone', start, drafts('all gone', 2));
  return journal(
    'corrupt/all-gone',
    'All segments of synced events were lost: a flagged one goes on behind them, and they stay missing.',
    [four],
    { damage: [damage('missing', four, 0, 1, 3)] },
  );
}

function renamed(): MadeVector {
  const one = segment('renamed 1', FIRST, drafts('renamed a', 2));
  const two = segment('renamed 2', after(one), drafts('renamed b', 2));
  const other = { ...two, name: '0000000000000004.b10' };
  return journal(
    'corrupt/renamed',
    'A segment under another’s name is not believed.',
    [one, other],
    {
      events: eventsOf([one]),
      damage: [damage('missing', other, 0, 3, 3), damage('segment-header', other, 0, 4, null)],
    },
  );
}

function manifestFlipped(): MadeVector {
  const made = segment('bad manifest', FIRST, drafts('bad manifest', 2));
  return journal(
    'corrupt/manifest',
    'A damaged manifest is as good as none: told of, and no event is lost.',
    [made],
    {
      manifest: false,
      damage: [LOST_MANIFEST],
      files: { manifest: flipped(manifestFile(), SEGMENT_HEADER_BYTES) },
    },
  );
}

function otherOrigin(): MadeVector {
  const own = segment('own origin', FIRST, drafts('own origin', 2));
  const other = segment('other origin', { ...FIRST, origin: ORIGIN_B }, drafts('other origin', 3));
  const { offset } = frameAt(other, 2);
  const named = { name: `${ORIGIN_B}/${other.name}` };
  return journal(
    'corrupt/other-origin',
    'Damage in a folder of another origin is told with the folder’s name.',
    [own, withBytes(other, flipped(other.bytes, offset + FRAME.seq))],
    { events: eventsOf([own]), damage: [damage('header', named, offset, 2, 2)] },
  );
}
