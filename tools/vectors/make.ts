import { FOOTER, FOOTER_BYTES } from '../../src/journal/format/format.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import {
  add,
  damage,
  drafts,
  eventsOf,
  FIRST,
  frameAt,
  journal,
  type MadeVector,
  patched,
  START_CHAIN,
  sealed,
  segment,
  storing,
  withBytes,
} from './kit.ts';

/*
 * Two vectors, as an example of how to add one: put it in their place, then run
 *
 *   node tools/run-typescript.mjs tools/vectors/make.ts
 *
 * Ids, salts and times follow from labels, so every run gives the same bytes. Expectations are written by hand from where
 * frames stand, never taken from a reader.
 */

/** A footer that claims more than its chunks have; then two segments whose prevChains are wrong. */
function givenAndLost(): MadeVector {
  const nine = segment('given and lost 1', FIRST, drafts('given and lost a', 9));
  const whole = sealed(nine, storing);
  const bytes = Buffer.from(whole.bytes);
  const footer = bytes.subarray(-FOOTER_BYTES);
  const index = Number(footer.readBigUInt64LE(FOOTER.indexOffset));
  bytes.fill(0x5a, index, index + 104);
  footer.writeBigUInt64LE(11n, FOOTER.lastSeq);
  footer.writeBigUInt64LE(xxh64(footer.subarray(0, FOOTER.checksum), 0n), FOOTER.checksum);
  const wrong = (firstSeq: number) => ({ firstSeq, prevChain: Buffer.alloc(32, firstSeq) });
  const two = segment('given and lost 2', wrong(10), drafts('given and lost b', 2));
  const { offset, bytes: size } = frameAt(two, 10);
  const garbage = patched(two.bytes, offset, Buffer.alloc(size, 0x5a));
  const three = segment('given and lost 3', wrong(12), drafts('given and lost c', 1));
  return journal(
    'corrupt/given-and-told-as-lost',
    'A footer tells 10 and 11 as lost, and the next segment has 11: what is given is not lost.',
    [withBytes(whole, bytes), withBytes(two, garbage), three],
    {
      events: [...eventsOf([nine]), ...eventsOf([two], [10]), ...eventsOf([three])],
      damage: [
        damage('index', whole, index, 10, 10),
        damage('chain', two, 0, 10, null),
        damage('header', two, offset, 10, 10),
        damage('chain', three, 0, 12, null),
      ],
    },
  );
}

function overlaps(): MadeVector[] {
  const four = segment('zeroed overlap 1', FIRST, drafts('zeroed overlap a', 4));
  const other = segment(
    'zeroed overlap 2',
    { firstSeq: 3, prevChain: START_CHAIN },
    drafts('zeroed overlap b', 4),
  );
  return [
    givenAndLost(),
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

add(overlaps());
