import { encodeContainer } from '../../src/journal/format/container.ts';
import { CONTAINER, FOOTER, FOOTER_BYTES, SEGMENT } from '../../src/journal/format/format.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import {
  add,
  after,
  damage,
  drafts,
  eventsOf,
  FIRST,
  hintFile,
  journal,
  type MadeVector,
  manifestFile,
  mendSegmentHeader,
  ORIGIN_A,
  ORIGIN_B,
  patched,
  type Segment,
  START_CHAIN,
  sealed,
  segment,
  spoolFile,
  spoolName,
  storing,
  waitingOf,
  withBytes,
} from './kit.ts';

/*
 * The vectors of 2026-11-28, as an example of how to add one: put it in place of these, then run
 *
 *   node tools/run-typescript.mjs tools/vectors/make.ts
 *
 * Ids, salts and times follow from labels, so every run gives the same bytes. Expectations are written by hand from where
 * frames stand, never taken from a reader.
 */

const ORIGIN_C = 'c0c1c2c3c4c5c6c7c8c9cacbcccdcecf';
const TWO = Buffer.from([2]);
const LOST_MANIFEST = damage('manifest', { name: 'manifest' }, 0, null, null);

/** A segment flag that this version does not know but for its name. */
const SKIP = 8;

function edited(made: Segment, edit: (bytes: Buffer) => void): Segment {
  const bytes = Buffer.from(made.bytes);
  edit(bytes);
  return withBytes(made, mendSegmentHeader(bytes));
}

const file = (path: string, rest: object, bytes: Buffer): MadeVector => ({
  vector: { path, ...rest } as MadeVector['vector'],
  files: new Map([['', bytes]]),
});

function overlaps(): MadeVector[] {
  const four = segment('zeroed overlap 1', FIRST, drafts('zeroed overlap a', 4));
  const other = segment(
    'zeroed overlap 2',
    { firstSeq: 3, prevChain: START_CHAIN },
    drafts('zeroed overlap b', 4),
  );
  return [
    journal(
      'corrupt/chain-zeroed-overlap',
      'A segment begins within the one before, and its prevChain is zeros: they excuse no overlap.',
      [four, other],
      {
        events: [...eventsOf([four]), ...eventsOf([other], [3, 4])],
        damage: [damage('chain', other, 0, 3, null)],
      },
    ),
  ];
}

function origins(): MadeVector[] {
  const start = { ...FIRST, origin: ORIGIN_C };
  const old = segment('former 1', start, drafts('former a', 2));
  const own = segment('former 2', { ...after(old), origin: ORIGIN_A }, drafts('former b', 2));
  const moved = { ...old, origin: ORIGIN_A };
  const a = segment('tie a', FIRST, drafts('tie a', 2));
  const b = segment('tie b', { ...FIRST, origin: ORIGIN_B }, drafts('tie b', 3));
  return [
    journal(
      'valid/former-origin-no-manifest',
      'A copied folder without a manifest: its first segment names a former origin, its second the folder.',
      [moved, own],
      { manifest: false, damage: [LOST_MANIFEST] },
    ),
    journal(
      'valid/origins-tied',
      'Without a manifest, two origins whose newest segments start at the same seq: the last by name is the own.',
      [a, b],
      { manifest: false, events: eventsOf([b]), damage: [LOST_MANIFEST] },
    ),
    journal(
      'torn/synced-tied',
      'Without a manifest and segments, two hints claim the same: the last origin by name tells it as its own.',
      [],
      {
        manifest: false,
        files: { [`${ORIGIN_A}/synced`]: hintFile(3), [`${ORIGIN_B}/synced`]: hintFile(3) },
        damage: [
          damage('missing', { name: 'synced' }, 0, 1, 3),
          damage('missing', { name: `${ORIGIN_A}/synced` }, 0, 1, 3),
        ],
      },
    ),
  ];
}

function beside(): MadeVector[] {
  const raw = segment('raw beside', FIRST, drafts('raw beside', 3));
  const whole = sealed(raw, storing);
  const cut = withBytes(whole, Buffer.from(whole.bytes.fill(0, 128)));
  const size = cut.bytes.length;
  return [
    journal(
      'corrupt/sealed-damaged-beside-raw',
      'A damaged sealed segment beside its sound raw form: the sealed one counts. A repair takes the other.',
      [raw, cut],
      { events: [], damage: [damage('index', cut, size > 0 ? 128 : 0, 1, null)] },
    ),
  ];
}

function later(): MadeVector[] {
  const one = segment('passed 1', FIRST, drafts('passed a', 2));
  const two = segment('passed 2', after(one), drafts('passed b', 2));
  const three = segment('passed 3', { ...after(two), firstSeq: 9 }, drafts('passed c', 2));
  const passed = edited(two, (bytes) => {
    bytes.writeUInt32LE(SKIP | 0x100, SEGMENT.flags);
    bytes.fill(0x5a, SEGMENT.reserved, SEGMENT.checksum);
  });
  const whole = sealed(one, storing);
  const footer = Buffer.from(whole.bytes);
  const start = footer.length - FOOTER_BYTES;
  footer.set(TWO, footer.length - 1);
  const fields = footer.subarray(start, start + FOOTER.checksum);
  footer.writeBigUInt64LE(xxh64(fields, 2n), start + FOOTER.checksum);
  const container = patched(encodeContainer(Buffer.from('later'), xxh64), 7, TWO);
  const sum = xxh64(container.subarray(0, CONTAINER.checksum), 0n);
  container.writeBigUInt64LE(sum, CONTAINER.checksum);
  const waits = drafts('waits beside', 1);
  const newer = spoolFile(drafts('waits for later', 1), 2);
  const name = spoolName(1, 'later');
  return [
    journal(
      'evolution/later-passed-by',
      'A later version’s segment that readers pass by: nobody knows how many events it has. No damage.',
      [one, passed, three],
      { events: eventsOf([one, three]), passed: [passed.name] },
    ),
    journal(
      'evolution/later-passed-by-newest',
      'The same as the newest segment: what the sync hint claims is no loss.',
      [one, passed],
      {
        events: eventsOf([one]),
        passed: [passed.name],
        files: { [`${ORIGIN_A}/synced`]: hintFile(7) },
      },
    ),
    journal(
      'evolution/later-footer-summed',
      'A footer whose magic ends with 2 and whose sum is seeded with 2.',
      [withBytes(whole, footer)],
      { events: [], later: true },
    ),
    journal(
      'evolution/later-manifest-form',
      'A known key of the manifest in a form that this version does not know.',
      [one],
      {
        events: [],
        later: true,
        manifest: false,
        files: { manifest: manifestFile({ places: { here: [1, 2] } }) },
      },
    ),
    journal(
      'evolution/later-inbox',
      'An inbox file of a later version: it waits for one that can read it.',
      [one],
      {
        files: { [name]: newer, [spoolName(2, 'beside')]: spoolFile(waits) },
        waiting: waitingOf(waits),
        passed: [name],
      },
    ),
    file(
      'evolution/later-container-summed.bin',
      {
        kind: 'container',
        why: 'A container whose magic ends with 2, under a right sum: a later version’s.',
        plain: null,
        later: true,
      },
      container,
    ),
    file(
      'evolution/later-spool-summed.evt',
      {
        kind: 'spool',
        why: 'An inbox file whose magic ends with 2, under a right sum: a later version’s.',
        events: null,
        later: true,
      },
      newer,
    ),
  ];
}

/** Links are not followed: what a link stands for is not there. */
function links(): MadeVector[] {
  const made = segment('linked', FIRST, drafts('linked', 2));
  const other = segment('linked b', { ...FIRST, origin: ORIGIN_B }, drafts('linked b', 2));
  const elsewhere = [other].map((one) => ({ ...one, origin: 'elsewhere' }));
  return [
    journal(
      'hostile/link-for-origin',
      'A link in the place of another origin’s folder: it is passed by.',
      [made, ...elsewhere],
      { events: eventsOf([made]), links: { [ORIGIN_B]: 'elsewhere' } },
    ),
    journal(
      'hostile/link-for-manifest',
      'A link in the place of the manifest: as good as lost.',
      [made],
      {
        manifest: false,
        files: { 'elsewhere/manifest': manifestFile() },
        links: { manifest: 'elsewhere/manifest' },
        damage: [LOST_MANIFEST],
      },
    ),
    journal(
      'hostile/link-for-synced',
      'A link in the place of a sync hint: it is ignored.',
      [made],
      {
        files: { 'elsewhere/synced': hintFile(9) },
        links: { [`${ORIGIN_A}/synced`]: '../elsewhere/synced' },
      },
    ),
  ];
}

add([...links(), ...overlaps(), ...origins(), ...beside(), ...later()]);
