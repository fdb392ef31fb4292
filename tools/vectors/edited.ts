import {
  FRAME,
  FRAME_HEADER_BYTES,
  FRAME_KIND_SKIPPABLE,
  HASH_BYTES,
  SEGMENT,
} from '../../src/journal/format/format.ts';
import { flipped, patched } from './bytes.ts';
import { after, draft, drafts, FIRST, frameAt, segment, withBytes } from './compose.ts';
import { mendFrameBody, mendFrameHeader, mendSegmentHeader } from './mend.ts';
import type { MadeVector } from './model.ts';
import { damage, eventsOf, journal } from './vector.ts';

/** Changes by somebody who made the checksums good again. The events can be read; the history does not hold. */
export function editedVectors(): MadeVector[] {
  const made = segment('corrupt', FIRST, drafts('corrupt', 5));
  const { offset, bytes: size } = frameAt(made, 3);
  const id = mendFrameHeader(
    patched(made.bytes, offset + FRAME.id, Buffer.alloc(16, 0xee)),
    offset,
  );
  const kind = mendFrameHeader(
    patched(made.bytes, offset + FRAME.kind, Buffer.of(FRAME_KIND_SKIPPABLE)),
    offset,
  );
  const chain = mendFrameHeader(flipped(made.bytes, offset + FRAME.chain), offset);
  const text = Buffer.from('corrupt 3');
  const body = Buffer.from(made.bytes);
  body.write('Corrupt 3', made.bytes.indexOf(text, offset));
  mendFrameBody(body, frameAt(made, 3));
  const payload = body.subarray(offset + FRAME_HEADER_BYTES + 16, offset + size);
  const edited = segment('corrupt', FIRST, [
    ...drafts('corrupt', 2),
    { ...draft('corrupt 3', { data: { text: 'Corrupt 3' } }) },
    ...drafts('corrupt', 5).slice(3),
  ]);
  if (!payload.includes('Corrupt 3')) throw new Error('the edit missed the text');
  const reidentified = eventsOf([made]).map((event) =>
    event.seq === 3 ? { ...event, id: 'ee'.repeat(16) } : event,
  );
  return [
    zeroedChain(),
    journal(
      'corrupt/chain-id-edited',
      'An event’s id was changed and the header’s checksum mended: the stored chain tells.',
      [withBytes(made, id)],
      { events: reidentified, damage: [damage('chain', made, offset, 3, 3)] },
    ),
    journal(
      'corrupt/chain-kind-edited',
      'An event was given a kind that readers skip and the checksum mended: the chain covers such a kind.',
      [withBytes(made, kind)],
      { events: eventsOf([made], [3]), damage: [damage('chain', made, offset, 3, 3)] },
    ),
    journal(
      'corrupt/chain-stored-edited',
      'A stored chain was changed and the checksum mended: neither it nor the next one fits.',
      [withBytes(made, chain)],
      {
        damage: [3, 4].map((seq) => damage('chain', made, frameAt(made, seq).offset, seq, seq)),
      },
    ),
    journal(
      'corrupt/commit-wrong',
      'A body was changed and its checksum mended: the commitment tells.',
      [withBytes(made, body)],
      { events: eventsOf([edited]), damage: [damage('commit', made, offset, 3, 3)] },
    ),
    rewritten(),
    firstChain(),
  ];
}

function rewritten(): MadeVector {
  const one = segment('rewritten 1', FIRST, drafts('rewritten a', 3));
  const two = segment('rewritten 2', after(one), drafts('rewritten b', 2));
  const forged = segment('rewritten 1', FIRST, [...drafts('rewritten a', 2), draft('forged')]);
  return journal(
    'corrupt/history-rewritten',
    'A whole segment was written anew with sound sums and a sound chain: the next one started from another.',
    [forged, two],
    { damage: [damage('chain', two, 0, 4, null)] },
  );
}

function firstChain(): MadeVector {
  const start = { ...FIRST, prevChain: Buffer.alloc(32, 0x77) };
  const made = segment('first chain', start, drafts('first chain', 2));
  return journal(
    'corrupt/first-chain',
    'A history that begins with seq 1 and yet with a chain: something was before it.',
    [made],
    { damage: [damage('chain', made, 0, 1, null)] },
  );
}

/**
 * Zeros for the chain before a segment say that the events before it are lost. Where they are there, zeros excuse nothing.
 */
function zeroedChain(): MadeVector {
  const one = segment('zeroed 1', FIRST, drafts('zeroed a', 2));
  const two = segment('zeroed 2', after(one), drafts('zeroed b', 2));
  const forged = segment('zeroed 1', FIRST, drafts('zeroed c', 2));
  const zeros = mendSegmentHeader(patched(two.bytes, SEGMENT.prevChain, Buffer.alloc(HASH_BYTES)));
  return journal(
    'corrupt/chain-zeroed',
    'Another history was put before a segment, whose header was made to say that what came before is lost.',
    [forged, withBytes(two, zeros)],
    {
      events: eventsOf([forged, two]),
      damage: [damage('chain', two, frameAt(two, 3).offset, 3, 3)],
    },
  );
}
