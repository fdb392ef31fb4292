import { encodeContainer } from '../../src/journal/format/container.ts';
import { FOOTER, FOOTER_BYTES, SEGMENT } from '../../src/journal/format/format.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { patched } from './bytes.ts';
import { after, drafts, FIRST, type Segment, segment, withBytes } from './compose.ts';
import { hintFile } from './hints.ts';
import { spoolFile } from './inbox.ts';
import { mendSegmentHeader } from './mend.ts';
import type { MadeVector } from './model.ts';
import { placesOf, sealed } from './sealed.ts';
import { damage, type Expectation, journal, manifestFile } from './vector.ts';

/** What a later version may write. A reader that does not know it says so: it is not damage. */
export function laterVectors(zstd: Codec): MadeVector[] {
  const one = segment('later 1', FIRST, drafts('later a', 2));
  const two = segment('later 2', after(one), drafts('later b', 2));
  const edited = (edit: (bytes: Buffer) => void): Segment => {
    const bytes = Buffer.from(two.bytes);
    edit(bytes);
    return withBytes(two, mendSegmentHeader(bytes));
  };
  const refused: Expectation = { events: [], later: true };
  return [
    journal(
      'evolution/later-major',
      'A segment of format 2.',
      [one, edited((bytes) => bytes.writeUInt8(2, 7))],
      refused,
    ),
    journal(
      'evolution/later-flag',
      'A segment flag that this version does not know.',
      [one, edited((bytes) => bytes.writeUInt32LE(0x100, SEGMENT.flags))],
      refused,
    ),
    journal(
      'evolution/preallocated',
      'The flag that is reserved for preallocated files.',
      [one, edited((bytes) => bytes.writeUInt32LE(4, SEGMENT.flags))],
      refused,
    ),
    journal(
      'evolution/later-header-bytes',
      'A segment header of another length.',
      [one, edited((bytes) => bytes.writeUInt16LE(160, SEGMENT.headerBytes))],
      refused,
    ),
    journal(
      'evolution/later-reserved',
      'Reserved bytes of a segment header that are not zero, under a sound checksum.',
      [one, edited((bytes) => bytes.writeUInt8(1, SEGMENT.reserved + 9))],
      refused,
    ),
    journal('evolution/later-manifest', 'A manifest of format 2.', [one], {
      ...refused,
      manifest: false,
      files: { manifest: manifestFile({ format: 2 }) },
    }),
    laterMinor(),
    ...laterMagics(zstd),
  ];
}

/** Only segment headers and the manifest say a version: everywhere else another magic is none. */
function laterMagics(zstd: Codec): MadeVector[] {
  const two = Buffer.from([2]);
  const made = sealed(segment('later footer', FIRST, drafts('later footer', 2)), zstd);
  const { indexOffset, footerOffset } = placesOf(made.bytes);
  const magicEnd = footerOffset + FOOTER_BYTES - 1;
  if (magicEnd !== footerOffset + FOOTER.magic + 7) throw new Error('the magic is the last field');
  const container = encodeContainer(Buffer.from('later'), xxh64);
  const bytesOfFile = (bytes: Buffer) => new Map([['', patched(bytes, 7, two)]]);
  return [
    journal(
      'evolution/later-footer',
      'A footer whose magic ends with 2 is no footer: the chunks are found by their own headers.',
      [withBytes(made, patched(made.bytes, magicEnd, two))],
      { damage: [damage('index', made, indexOffset, null, null)] },
    ),
    {
      vector: {
        path: 'evolution/later-container.bin',
        kind: 'container',
        why: 'A container whose magic ends with 2 is refused like a damaged one.',
        plain: null,
      },
      files: bytesOfFile(container),
    },
    {
      vector: {
        path: 'evolution/later-spool.evt',
        kind: 'spool',
        why: 'An inbox file whose magic ends with 2 is a damaged one.',
        events: null,
      },
      files: bytesOfFile(spoolFile(drafts('later spool', 1))),
    },
    {
      vector: {
        path: 'evolution/later-synced',
        kind: 'hint',
        why: 'A sync hint whose magic ends with 2 is ignored.',
        hint: null,
      },
      files: bytesOfFile(hintFile(2)),
    },
  ];
}

function laterMinor(): MadeVector {
  const made = segment('later minor', FIRST, drafts('later minor', 2));
  const bytes = Buffer.from(made.bytes);
  bytes.writeUInt16LE(7, SEGMENT.formatMinor);
  return journal('evolution/later-minor', 'A later minor version is read like this one.', [
    withBytes(made, mendSegmentHeader(bytes)),
  ]);
}
