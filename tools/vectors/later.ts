import { SEGMENT } from '../../src/journal/format.ts';
import { after, drafts, FIRST, type Segment, segment, withBytes } from './compose.ts';
import { mendSegmentHeader } from './mend.ts';
import type { MadeVector } from './model.ts';
import { type Expectation, journal, manifestFile } from './vector.ts';

/** What a later version may write. A reader that does not know it says so: it is not damage. */
export function laterVectors(): MadeVector[] {
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
    journal('evolution/later-manifest', 'A manifest of format 2.', [one], {
      ...refused,
      manifest: false,
      files: { manifest: manifestFile({ format: 2 }) },
    }),
    laterMinor(),
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
