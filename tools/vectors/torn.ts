import { FRAME_HEADER_BYTES, FRAME_TRAILER_BYTES } from '../../src/journal/format/format.ts';
import { bytesOf, zeroed } from './bytes.ts';
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
import { hintFile } from './hints.ts';
import type { ExpectedDamage, MadeVector } from './model.ts';
import { damage, eventsOf, journal } from './vector.ts';

/** Three events, the last of which has padding; what a crash may leave of it follows. */
function whole(): Segment {
  const made = segment('torn', FIRST, [...drafts('torn', 2), draft('torn 3', { data: 'odd' })]);
  if (frameAt(made, 3).bodyBytes % 8 === 0) throw new Error('the last event must have padding');
  return made;
}

/** Ends of files as a killed process or a power cut leaves them. */
export function tornVectors(): MadeVector[] {
  const made = whole();
  const last = frameAt(made, 3);
  const trailer = last.offset + last.bytes - FRAME_TRAILER_BYTES;
  const body = last.offset + FRAME_HEADER_BYTES;
  const tail = damage('tail', made, last.offset, 3, null);
  const cut = (name: string, why: string, end: number): MadeVector =>
    torn(`torn/${name}`, why, withBytes(made, made.bytes.subarray(0, end)), [tail]);
  const whyZeros = 'The file grew, its data never came: zeros where the last frame should be.';
  const whyGarbage = 'Bytes of something else behind the last sound frame.';
  return [
    cut('in-header', 'A write cut short in the header.', last.offset + 60),
    cut('after-magic', 'A write cut short after the first four bytes.', last.offset + 4),
    cut('in-body', 'A write cut short in the body.', body + 40),
    cut('in-padding', 'A write cut short in the padding.', body + last.bodyBytes + 1),
    cut('in-trailer', 'A write cut short in the trailer.', trailer + 9),
    torn('torn/zero-frame', whyZeros, withBytes(made, zeroed(made.bytes, last.offset)), [tail]),
    torn(
      'torn/zero-from-body',
      'The last sector never came: the header is sound, its body is zeros. One event is lost.',
      withBytes(made, zeroed(made.bytes, body + 8)),
      [damage('body', made, last.offset, 3, 3)],
    ),
    appended('torn/zeros-appended', whyZeros, Buffer.alloc(4096)),
    appended('torn/garbage-appended', whyGarbage, bytesOf('garbage', 777)),
    batch(),
    ...synced(),
    halfHeader('torn/segment-header-half', 'The newest segment has half a header.', 60),
    halfHeader('torn/segment-empty-file', 'The newest segment is an empty file.', 0),
  ];
}

function torn(path: string, why: string, made: Segment, list: ExpectedDamage[]): MadeVector {
  return journal(path, why, [made], { events: eventsOf([made], [3]), damage: list });
}

function appended(path: string, why: string, junk: Buffer): MadeVector {
  const made = whole();
  const bytes = Buffer.concat([made.bytes, junk]);
  return journal(path, why, [withBytes(made, bytes)], {
    damage: [damage('tail', made, made.bytes.length, 4, null)],
  });
}

/** What the sync hint says was on disk is lost, and no torn write. */
function synced(): MadeVector[] {
  const made = whole();
  const { offset } = frameAt(made, 3);
  const hint = { [`${made.origin}/synced`]: hintFile(3) };
  const events = eventsOf([made], [3]);
  const cut = (end: number) => [withBytes(made, made.bytes.subarray(0, end))];
  return [
    journal(
      'torn/synced-cut',
      'The last event is cut in its body, and it had been synced.',
      cut(offset + 150),
      {
        events,
        files: hint,
        damage: [damage('tail', made, offset, 3, 3)],
      },
    ),
    journal(
      'torn/synced-gone',
      'The last event is gone without a trace, but for the sync hint.',
      cut(offset),
      {
        events,
        files: hint,
        damage: [damage('missing', made, 0, 3, 3)],
      },
    ),
    journal('torn/synced-alone', 'All segments are gone, and the sync hint tells of them.', [], {
      files: hint,
      damage: [damage('missing', { name: 'synced' }, 0, 1, 3)],
    }),
    journal(
      'torn/synced-alone-no-manifest',
      'The same without a manifest: of two origins the one is the own that was synced furthest.',
      [],
      {
        files: { ...hint, [`${ORIGIN_B}/synced`]: hintFile(2) },
        manifest: false,
        damage: [
          damage('missing', { name: 'synced' }, 0, 1, 3),
          damage('missing', { name: `${ORIGIN_B}/synced` }, 0, 1, 2),
        ],
      },
    ),
    journal('torn/hint-behind', 'A stale hint: nothing is missing.', [made], {
      files: { [`${made.origin}/synced`]: hintFile(1) },
    }),
  ];
}

/** Several events of one append, of which only a part was written. */
function batch(): MadeVector {
  const made = segment('batch', FIRST, drafts('batch', 5));
  const { offset } = frameAt(made, 4);
  return journal(
    'torn/in-batch',
    'An append of several events cut in the middle: those before the cut are there.',
    [withBytes(made, made.bytes.subarray(0, offset + 100))],
    { events: eventsOf([made], [4, 5]), damage: [damage('tail', made, offset, 4, null)] },
  );
}

function halfHeader(path: string, why: string, bytes: number): MadeVector {
  const one = segment('half header 1', FIRST, drafts('half header', 2));
  const two = segment('half header 2', after(one), []);
  return journal(path, why, [one, withBytes(two, two.bytes.subarray(0, bytes))], {
    damage: [damage('segment-header', two, 0, 3, null)],
  });
}
