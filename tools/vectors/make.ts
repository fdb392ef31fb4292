import { FOOTER, FOOTER_BYTES } from '../../src/journal/format/format.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import {
  add,
  damage,
  drafts,
  eventsOf,
  FIRST,
  journal,
  type MadeVector,
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

/** A footer that claims more than its chunks have; then two segments, between whose events one is missing. */
function cutOff(): MadeVector {
  const nine = segment('cut off 1', FIRST, drafts('cut off a', 9));
  const whole = sealed(nine, storing);
  const bytes = Buffer.from(whole.bytes);
  const footer = bytes.subarray(-FOOTER_BYTES);
  const index = Number(footer.readBigUInt64LE(FOOTER.indexOffset));
  bytes.fill(0x5a, index, index + 104);
  footer.writeBigUInt64LE(14n, FOOTER.lastSeq);
  footer.writeBigUInt64LE(xxh64(footer.subarray(0, FOOTER.checksum), 0n), FOOTER.checksum);
  const later = (firstSeq: number) => ({ firstSeq, prevChain: START_CHAIN, flags: 1 });
  const two = segment('cut off 2', later(10), drafts('cut off b', 2));
  const three = segment('cut off 3', later(13), drafts('cut off c', 1));
  return journal(
    'corrupt/loss-cut-off',
    'A footer tells 10 to 14 as lost, and the next segment has 10 and 11: what is cut off no longer counts as told.',
    [withBytes(whole, bytes), two, three],
    {
      events: eventsOf([nine, two, three]),
      damage: [damage('index', whole, index, null, null), damage('missing', three, 0, 12, 12)],
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
    cutOff(),
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
