import {
  CHUNK,
  CHUNK_HEADER_BYTES,
  FOOTER,
  FOOTER_BYTES,
  ID_PREFIX_BYTES,
} from '../../src/journal/format/format.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { flipped, patched } from './bytes.ts';
import { after, drafts, FIRST, type Segment, segment, withBytes } from './compose.ts';
import { hintFile } from './hints.ts';
import { mendDigest, mendFooter } from './mend.ts';
import type { MadeVector } from './model.ts';
import { placesOf, sealed } from './sealed.ts';
import { damage, eventsOf, journal } from './vector.ts';

/** What stands at the end of a sealed segment, and what is told where it is gone. */
export function endVectors(zstd: Codec): MadeVector[] {
  const made = sealed(segment('ends', FIRST, drafts('ends', 4)), zstd);
  return [...footers(made), ...tables(made), betweenChunksAndIndex(made), ...nothingFound(made)];
}

/** One field of the footer is not what was read; the footer's own sum fits. */
function footers(made: Segment): MadeVector[] {
  const { indexOffset, footerOffset } = placesOf(made.bytes);
  const one = (field: keyof typeof FOOTER, why: string): MadeVector => {
    const bytes = mendFooter(flipped(made.bytes, footerOffset + FOOTER[field]));
    return journal(`corrupt/sealed-footer-${field}`, why, [withBytes(made, bytes)], {
      damage: [damage('index', made, indexOffset, null, null)],
    });
  };
  return [
    one('lastSeq', 'A footer whose lastSeq is not the last record’s, under a sound index.'),
    one('lastHlc', 'A footer whose lastHlc is not the last record’s.'),
    one('count', 'A footer whose count is not that of the records.'),
    one('idsOffset', 'A footer whose idsOffset does not lead directly behind the index.'),
    one('endChain', 'A footer whose endChain is not the last chunk’s.'),
    one('digest', 'A footer whose digest is not the file’s, and nothing else is wrong.'),
    levelIsFree(made),
  ];
}

function levelIsFree(made: Segment): MadeVector {
  const { footerOffset } = placesOf(made.bytes);
  const bytes = Buffer.from(made.bytes);
  bytes.writeUInt8(200, footerOffset + FOOTER.level);
  return journal('hostile/sealed-footer-level', 'A level that Zstd does not have: nobody asks.', [
    withBytes(made, mendFooter(bytes)),
  ]);
}

/** The digest fits in each: somebody made it good again. */
function tables(made: Segment): MadeVector[] {
  const { indexOffset, idsOffset, footerOffset } = placesOf(made.bytes);
  const salt = made.header.salt;
  const one = (name: string, why: string, bytes: Buffer, at = indexOffset): MadeVector =>
    journal(`corrupt/sealed-${name}`, why, [withBytes(made, mendDigest(bytes))], {
      damage: [damage('index', made, at, null, null)],
    });
  const ids = made.bytes.subarray(idsOffset, footerOffset - 8);
  const sum = Buffer.alloc(8);
  sum.writeBigUInt64LE(xxh64(ids, salt));
  if (!sum.equals(made.bytes.subarray(footerOffset - 8, footerOffset)))
    throw new Error('the sum of the ids stands before the footer');
  const between = Buffer.concat([
    made.bytes.subarray(0, footerOffset),
    Buffer.alloc(ID_PREFIX_BYTES),
    made.bytes.subarray(footerOffset),
  ]);
  const otherHeader = flipped(made.bytes, 128 + CHUNK.minAt);
  const chunk = otherHeader.subarray(128, 128 + CHUNK.checksum);
  otherHeader.writeBigUInt64LE(xxh64(chunk, salt), 128 + CHUNK.checksum);
  return [
    one(
      'ids-sum',
      'An id table with the right ids and another sum.',
      flipped(made.bytes, footerOffset - 8),
    ),
    one(
      'ids-edited',
      'An id table with an id that no record has, and the sum of the right ones.',
      flipped(made.bytes, idsOffset + 3),
    ),
    one('ids-longer', 'Bytes between the id table’s sum and the footer.', between),
    one(
      'chunk-header-edited',
      'A chunk header in its place is not its copy in the index, and sound; the digest is of the file as it is.',
      otherHeader,
      128,
    ),
  ];
}

function betweenChunksAndIndex(made: Segment): MadeVector {
  const { indexOffset } = placesOf(made.bytes);
  const bytes = Buffer.concat([
    made.bytes.subarray(0, indexOffset),
    Buffer.alloc(8),
    made.bytes.subarray(indexOffset),
  ]);
  const footer = bytes.length - FOOTER_BYTES;
  bytes.writeBigUInt64LE(BigInt(indexOffset + 8), footer + FOOTER.indexOffset);
  const ids = indexOffset + 8 + CHUNK_HEADER_BYTES + 8;
  bytes.writeBigUInt64LE(BigInt(ids), footer + FOOTER.idsOffset);
  return journal(
    'corrupt/sealed-bytes-before-index',
    'Bytes between the last chunk and the index: it is not believed, and the chunks are found without it.',
    [withBytes(made, mendDigest(bytes))],
    { damage: [damage('index', made, indexOffset, null, null)] },
  );
}

/** Not one chunk and no footer: like a damaged tail, what is lost shows behind it. */
function nothingFound(made: Segment): MadeVector[] {
  const cut = withBytes(made, made.bytes.subarray(0, 200));
  const next = segment('ends next', after(made), drafts('ends next', 2));
  const half = segment('ends half', after(made), []);
  const hint = (upto: number) => ({ [`${made.origin}/synced`]: hintFile(upto) });
  return [
    journal(
      'corrupt/sealed-nothing-found',
      'A sealed file without a chunk and without a footer: the next segment’s name says how much is lost.',
      [cut, next],
      { events: eventsOf([next]), damage: [damage('index', made, 128, 1, 4)] },
    ),
    journal(
      'corrupt/sealed-nothing-found-newest',
      'The same in the newest segment: nobody says how much.',
      [cut],
      { events: [], damage: [damage('index', made, 128, 1, null)] },
    ),
    journal(
      'corrupt/sealed-nothing-found-synced',
      'The same with a sync hint, which says it.',
      [cut],
      { events: [], damage: [damage('index', made, 128, 1, 4)], files: hint(4) },
    ),
    journal(
      'torn/synced-segment-header',
      'The newest segment has half a header, and its events had been synced.',
      [made, withBytes(half, patched(half.bytes.subarray(0, 60), 0, Buffer.alloc(4)))],
      {
        events: eventsOf([made]),
        damage: [damage('segment-header', half, 0, 5, 6)],
        files: hint(6),
      },
    ),
  ];
}
