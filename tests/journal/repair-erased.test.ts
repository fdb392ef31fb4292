import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FRAME } from '../../src/journal/format.ts';
import { repairJournal } from '../../src/journal/repair.ts';
import { scanFrames } from '../../src/journal/scan.ts';
import { decodeSegmentHeader } from '../../src/journal/segment.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { GuardedWriter } from '../../src/project/guarded-writer.ts';
import { decoders, realPorts } from '../support.ts';
import { eraseSeqs, husks } from './journals.ts';
import { edit, eventsOf, flipBit, newRoot, readAll, segmentFiles, writerOn } from './support.ts';

/** As a transcript tells them again. */
function tell(root: string, events: ReturnType<typeof eventsOf>): void {
  const writer = new GuardedWriter(realPorts, root, decoders, { lockBudgetMs: 5000 });
  writer.append(events);
  writer.close();
}

/** Of six events the second and the fifth are erased, in a closed segment, and the second one's husk is damaged. */
function withDamagedHusk(change: (bytes: Buffer, at: number) => void) {
  const root = newRoot();
  const events = eventsOf(6);
  const writer = writerOn(root);
  writer.append(events);
  writer.rotate(0);
  writer.close();
  eraseSeqs(root, 2, 5);
  // Who appends knows the ids at the end of the segment before.
  const goesOn = writerOn(root);
  goesOn.rotate(0);
  goesOn.append(eventsOf(1));
  goesOn.close();
  edit(segmentFiles(root)[0]!, (bytes) => {
    const header = decodeSegmentHeader(bytes, xxh64)!;
    const [, husk] = [...scanFrames(bytes, header, xxh64)].map(({ frame }) => frame!);
    change(bytes, husk!.offset);
  });
  return { root, events, erased: path.join(root, 'journal/erased') };
}

it('a husk that a repair makes readable again keeps out what it stands for, though the ids of erased events were gathered without it', () => {
  const { root, events, erased } = withDamagedHusk((bytes, at) =>
    flipBit(bytes, (at + FRAME.seq) * 8),
  );
  rmSync(erased);
  tell(root, [events[4]!]);
  repairJournal(realPorts, root, decoders);
  expect(husks(root).map(({ seq }) => seq)).toEqual([2, 5]);
  tell(root, [events[1]!, events[4]!]);
  const told = [events[1]!, events[4]!].map(({ id }) => id.toString('hex'));
  const whole = readAll(root).entries.filter(({ payload }) => payload.length > 0);
  expect(whole.filter(({ id }) => told.includes(id.toString('hex')))).toEqual([]);
});

it.each(['missing', 'damaged'])(
  'a repair leaves a %s file of erased ids to whoever asks next',
  (how) => {
    const { root, events, erased } = withDamagedHusk((bytes, at) =>
      flipBit(bytes, (at + FRAME.seq) * 8),
    );
    if (how === 'missing') rmSync(erased);
    else writeFileSync(erased, 'nothing');
    repairJournal(realPorts, root, decoders);
    tell(root, [events[1]!]);
    expect(readAll(root).entries.filter(({ id }) => id.equals(events[1]!.id))).toHaveLength(1);
  },
);

it('an event whose husk is lost for good does not come back after the repair', () => {
  const { root, events } = withDamagedHusk((bytes, at) => void bytes.fill(0xff, at, at + 40));
  const { lost } = repairJournal(realPorts, root, decoders);
  expect(lost).toMatchObject([{ firstSeq: 2, lastSeq: 2 }]);
  tell(root, [events[1]!]);
  expect(readAll(root).entries.filter(({ id }) => id.equals(events[1]!.id))).toEqual([]);
});
