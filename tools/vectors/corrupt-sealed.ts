import { CHUNK, SEGMENT } from '../../src/journal/format/format.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { flipped, zeroed } from './bytes.ts';
import { after, draft, drafts, FIRST, type Segment, segment, withBytes } from './compose.ts';
import type { ExpectedDamage, MadeVector } from './model.ts';
import { describe, placesOf, putTogether, sealed, storing, takeApart } from './sealed.ts';
import { threeChunks } from './valid-sealed.ts';
import { damage, eventsOf, journal } from './vector.ts';

/** Sealed segments whose bytes changed. Every file has three chunks of two events. */
export function corruptSealedVectors(zstd: Codec): MadeVector[] {
  const made = sealed(threeChunks('corrupt sealed'), zstd);
  const at = placesOf(made.bytes);
  const second = at.chunks[1]!.offset;
  const body = second + 104 + 40;
  const flip = (
    name: string,
    why: string,
    offset: number,
    list: ExpectedDamage[],
    lost: number[] = [],
  ) =>
    broken(
      `corrupt/sealed-${name}`,
      why,
      withBytes(made, flipped(made.bytes, offset, 2)),
      list,
      lost,
    );
  const index = damage('index', made, at.indexOffset, null, null);
  return [
    flip(
      'chunk-flip',
      'A bit flip in a chunk costs its events and no others.',
      body,
      [damage('chunk', made, second, 3, 4)],
      [3, 4],
    ),
    flip(
      'chunk-header-flip',
      'A bit flip in a chunk’s own header: the index has a copy, nothing is lost.',
      second + CHUNK.count,
      [damage('index', made, second, null, null)],
    ),
    flip(
      'index-flip',
      'A bit flip in the index: the chunks’ own headers take its place, nothing is lost.',
      at.indexOffset + 110,
      [index],
    ),
    flip('ids-flip', 'A bit flip in the id table: nothing is lost.', at.idsOffset + 9, [index]),
    flip(
      'footer-flip',
      'A bit flip in the footer: every chunk is found by its own header.',
      at.footerOffset + 20,
      [damage('index', made, at.indexOffset, null, null)],
    ),
    flip('footer-digest-flip', 'A bit flip in the footer’s digest.', at.footerOffset + 85, [
      damage('index', made, at.indexOffset, null, null),
    ]),
    flip(
      'segment-header-flip',
      'A bit flip in a sealed segment’s header is found and put right: nothing is lost.',
      SEGMENT.salt,
      [damage('segment-header', made, 0, null, null)],
    ),
    broken(
      'corrupt/sealed-segment-header-gone',
      'The first sector of a sealed segment is zeros: nothing can be placed.',
      withBytes(made, zeroed(made.bytes, 0, 512)),
      [damage('segment-header', made, 0, 1, null)],
      [1, 2, 3, 4, 5, 6],
    ),
    broken(
      'corrupt/sealed-index-and-chunk-header',
      'Index and a chunk header are damaged: that chunk is lost, the one behind it is found.',
      withBytes(made, flipped(flipped(made.bytes, second + CHUNK.count), at.indexOffset + 3)),
      [damage('chunk', made, second, 3, 4), index],
      [3, 4],
    ),
    broken(
      'corrupt/sealed-cut',
      'The end of a sealed file is gone: the whole chunks before it are read, and nobody can say what followed.',
      withBytes(made, made.bytes.subarray(0, at.chunks[2]!.offset + 120)),
      [damage('index', made, at.chunks[2]!.offset, null, null)],
      [5, 6],
    ),
    cutInTheMiddle(zstd),
    recordEdited(),
  ];
}

function broken(
  path: string,
  why: string,
  made: Segment,
  list: ExpectedDamage[],
  lost: number[],
): MadeVector {
  return journal(path, why, [made], { events: eventsOf([made], lost), damage: list });
}

/** Without its footer a sealed file cannot say what is lost of it; the segment behind it can. */
function cutInTheMiddle(zstd: Codec): MadeVector {
  const one = sealed(threeChunks('cut sealed'), zstd);
  const at = placesOf(one.bytes).chunks[1]!.offset;
  const two = segment('after the cut', after(one), drafts('after the cut', 2));
  const cut = withBytes(one, one.bytes.subarray(0, at + 30));
  return journal(
    'corrupt/sealed-cut-in-the-middle',
    'A cut sealed file with a sound segment behind it, which tells what is lost.',
    [cut, two],
    {
      events: eventsOf([one, two], [3, 4, 5, 6]),
      damage: [damage('index', one, at, null, null), damage('missing', two, 0, 3, 6)],
    },
  );
}

/** A payload was changed and every checksum and the digest made good again: only the chain tells. */
function recordEdited(): MadeVector {
  const before = segment('record edited', FIRST, drafts('record', 4));
  const made = sealed(before, storing);
  const parts = takeApart(made.bytes);
  const chunk = parts.chunks[0]!;
  chunk.stored.write('Record 3', chunk.stored.indexOf('record 3'));
  describe(chunk, chunk.stored, before.header.salt);
  const text = { data: { text: 'Record 3' } };
  const edited = segment('record edited', FIRST, [
    ...drafts('record', 2),
    draft('record 3', text),
    draft('record 4'),
  ]);
  return journal(
    'corrupt/sealed-record-edited',
    'A sealed payload was changed and every checksum mended: the chain tells.',
    [withBytes(made, putTogether(parts))],
    {
      events: eventsOf([edited]),
      damage: [damage('chain', made, 128, 1, 4)],
    },
  );
}
