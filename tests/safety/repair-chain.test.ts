import { describe, expect, it } from 'vitest';
import { SEGMENT } from '../../src/journal/format/format.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { filesIn, type Image } from '../sim/image.ts';
import { decoders, SIM_ROOT } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import { framesIn, rechain } from './frames.ts';
import { append, change, diskAfter, entriesOf, flipAt, started } from './machine.ts';

/** Segments of events 1 to 3, 4 and 5, and one that is appended to. */
const grown = (): Image =>
  diskAfter((ports) =>
    append(ports, [newEvent(), newEvent(), newEvent()], [newEvent(), newEvent()], [newEvent()]),
  );

const FIRST = '0000000000000001.b10';
const SECOND = '0000000000000004.b10';

function repaired(image: Image) {
  const { disk, ports } = started(image);
  const { after } = repairJournal(ports, SIM_ROOT, decoders);
  const seqs = entriesOf(ports).map(({ seq }) => seq);
  return { after, seqs, files: filesIn(disk.live) };
}

describe('a repair believes no chain that the events do not follow', () => {
  it('of an event that is lost', () => {
    const image = change(grown(), FIRST, (bytes) => {
      const [, lost] = framesIn(bytes);
      rechain(bytes, lost!);
      flipAt(bytes, lost!.offset + lost!.bytes - 40);
      flipAt(bytes, lost!.offset + lost!.bytes - 50);
    });
    const { after, seqs } = repaired(image);
    expect(seqs).toEqual(expect.arrayContaining([1, 3, 4, 5, 6]));
    expect(after.damage.filter(({ kind }) => kind === 'chain')).toEqual([]);
  });

  it('of the segment before one whose header is lost', () => {
    const image = change(grown(), FIRST, (bytes) => rechain(bytes, framesIn(bytes).at(-1)!));
    change(image, SECOND, (bytes) => bytes.fill(0xee, SEGMENT.journalId, SEGMENT.originId));
    const { after } = repaired(image);
    expect(after.damage.filter(({ segment }) => segment === SECOND)).toEqual([]);
  });
});
