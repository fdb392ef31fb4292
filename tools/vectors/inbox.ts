import { typeTag } from '../../src/journal/format/envelope.ts';
import {
  FRAME_HEADER_BYTES,
  SPOOL,
  SPOOL_HEADER_BYTES,
  SPOOL_MAGIC,
  SPOOL_RECORD,
  SPOOL_RECORD_HEAD_BYTES,
} from '../../src/journal/format/format.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { bytesOf, EPOCH_MS, flipped, sha256 } from './bytes.ts';
import {
  type Draft,
  draft,
  drafts,
  FIRST,
  frameAt,
  ORIGIN_B,
  segment,
  withBytes,
} from './compose.ts';
import type { ExpectedWaiting, MadeVector } from './model.ts';
import { skippable, tombstones } from './valid.ts';
import { damage, eventsOf, journal } from './vector.ts';

/** Events that wait for a seq. */
export function inboxVectors(): MadeVector[] {
  const made = segment('inbox', FIRST, drafts('inbox', 2));
  const early = drafts('waits early', 2);
  const late = drafts('waits late', 1);
  const damaged = flipped(spoolFile(drafts('waits damaged', 1)), SPOOL_HEADER_BYTES + 40);
  const two = spoolFile(early);
  return [
    journal('valid/inbox', 'Two files in the inbox, the older one first by its name.', [made], {
      files: { [spoolName(2, 'late')]: spoolFile(late), [spoolName(1, 'early')]: two },
      waiting: waitingOf([...early, ...late]),
    }),
    journal(
      'valid/inbox-half-drained',
      'A writer died between appending inbox events and removing their file. What has a seq, or waits twice, is shown once; `draining` is ignored.',
      [made],
      {
        files: {
          [spoolName(1, 'half')]: spoolFile([...drafts('inbox', 2).slice(1), ...early]),
          [spoolName(2, 'half')]: spoolFile([early[0]!, ...late]),
          'inbox/draining': Buffer.from(`2 ${spoolName(1, 'half').slice('inbox/'.length)}`),
        },
        waiting: waitingOf([...early, ...late]),
      },
    ),
    journal(
      'corrupt/inbox-file',
      'A damaged file in the inbox: what it held cannot be told; the others are read.',
      [made],
      {
        files: { [spoolName(1, 'bad')]: damaged, [spoolName(2, 'late')]: spoolFile(late) },
        waiting: waitingOf(late),
        damage: [damage('inbox', { name: spoolName(1, 'bad') }, 0, null, null)],
      },
    ),
    ...hidden(),
    file(
      'hostile/spool-none.evt',
      'An inbox file of no event: no writer leaves one, and nothing is wrong with it.',
      spoolFile([]),
      [],
    ),
    file('valid/spool.evt', 'An inbox file of two events.', two, early),
    file(
      'corrupt/spool-flip.evt',
      'A bit flip in a payload: the file is refused whole.',
      damaged,
      null,
    ),
    file(
      'corrupt/spool-flip-reserved.evt',
      'A bit flip in the reserved bytes.',
      flipped(two, SPOOL.reserved),
      null,
    ),
    file('corrupt/spool-cut.evt', 'The end is gone.', two.subarray(0, two.length - 1), null),
    file(
      'hostile/spool-count.evt',
      'More events announced than there are, under a sound checksum.',
      mended(two, (bytes) => bytes.writeUInt32LE(3, SPOOL.count)),
      null,
    ),
    file(
      'hostile/spool-length.evt',
      'A payload of 2^32 - 1 bytes, under a sound checksum.',
      mended(two, (bytes) =>
        bytes.writeUInt32LE(0xffff_ffff, SPOOL_HEADER_BYTES + SPOOL_RECORD.payloadBytes),
      ),
      null,
    ),
    file(
      'hostile/spool-magic.evt',
      'Another magic, under a sound checksum.',
      mended(two, (bytes) => bytes.write('C', 5)),
      null,
    ),
    file(
      'hostile/spool-empty-payload.evt',
      'A payload of no bytes, under a sound checksum.',
      emptyPayload(),
      null,
    ),
  ];
}

/** Which ids of the journal hide an event that waits. */
function hidden(): MadeVector[] {
  const files = (list: readonly Draft[]) => ({ [spoolName(1, 'hidden')]: spoolFile(list) });
  const erased = segment('inbox tombstone', FIRST, tombstones());
  const skipped = segment('inbox skipped', FIRST, skippable());
  const lost = segment('inbox lost', FIRST, drafts('inbox lost', 2));
  const { offset } = frameAt(lost, 2);
  const own = segment('inbox own', FIRST, drafts('inbox own', 1));
  const other = segment('inbox other', { ...FIRST, origin: ORIGIN_B }, drafts('inbox other', 2));
  return [
    journal(
      'valid/inbox-tombstone',
      'An event that waits and was erased: the id of its tombstone hides it.',
      [erased],
      { files: files([draft('erased'), draft('waits')]), waiting: waitingOf([draft('waits')]) },
    ),
    journal(
      'valid/inbox-skipped-kind',
      'An id that only a skipped kind has hides nothing.',
      [skipped],
      { files: files([draft('of kind 130')]), waiting: waitingOf([draft('of kind 130')]) },
    ),
    journal(
      'corrupt/inbox-body-lost',
      'An event that was taken in and whose body is damaged: the copy that waits is given.',
      [withBytes(lost, flipped(lost.bytes, offset + FRAME_HEADER_BYTES + 20))],
      {
        events: eventsOf([lost], [2]),
        damage: [damage('body', lost, offset, 2, 2)],
        files: files(drafts('inbox lost', 2)),
        waiting: waitingOf(drafts('inbox lost', 2).slice(1)),
      },
    ),
    journal(
      'valid/inbox-other-origin',
      'An id that only another origin has hides nothing.',
      [own, other],
      {
        events: own.events,
        files: files([...drafts('inbox own', 1), ...drafts('inbox other', 1)]),
        waiting: waitingOf(drafts('inbox other', 1)),
      },
    ),
  ];
}

function file(path: string, why: string, bytes: Buffer, list: Draft[] | null): MadeVector {
  return {
    vector: { path, kind: 'spool', why, events: list && waitingOf(list) },
    files: new Map([['', bytes]]),
  };
}

const waitingOf = (list: readonly Draft[]): ExpectedWaiting[] =>
  list.map((one) => ({
    type: one.type!,
    id: bytesOf(`${one.label} id`, 16).toString('hex'),
    sha256: sha256(one.payload),
  }));

const spoolName = (second: number, label: string): string => {
  const stamp = `${(EPOCH_MS + second * 1000).toString(16).padStart(12, '0')}0000`;
  return `inbox/${stamp}-${bytesOf(label, 6).toString('hex')}.evt`;
};

/** An inbox file; its sum is sound. */
export function spoolFile(list: readonly Draft[]): Buffer {
  const records = list.flatMap((one) => {
    const head = Buffer.alloc(SPOOL_RECORD_HEAD_BYTES);
    head.set(bytesOf(`${one.label} id`, 16), SPOOL_RECORD.id);
    head.writeUInt32LE(one.payload.length, SPOOL_RECORD.payloadBytes);
    head.writeUInt32LE(typeTag(one.type!, xxh64), SPOOL_RECORD.typeTag);
    return [head, one.payload];
  });
  const body = Buffer.concat(records);
  const header = Buffer.alloc(SPOOL_HEADER_BYTES);
  header.set(SPOOL_MAGIC, SPOOL.magic);
  header.writeUInt32LE(list.length, SPOOL.count);
  header.writeUInt32LE(body.length, SPOOL.bodyBytes);
  return mended(Buffer.concat([header, body]), () => undefined);
}

function emptyPayload(): Buffer {
  const bytes = Buffer.concat([spoolFile([]), bytesOf('empty payload', 16), Buffer.alloc(8)]);
  return mended(bytes, (copy) => {
    copy.writeUInt32LE(1, SPOOL.count);
    copy.writeUInt32LE(SPOOL_RECORD_HEAD_BYTES, SPOOL.bodyBytes);
  });
}

/** A changed copy whose checksum holds. */
function mended(bytes: Buffer, edit: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  edit(copy);
  const head = xxh64(copy.subarray(0, SPOOL.checksum), 0n);
  copy.writeBigUInt64LE(xxh64(copy.subarray(SPOOL_HEADER_BYTES), head), SPOOL.checksum);
  return copy;
}
