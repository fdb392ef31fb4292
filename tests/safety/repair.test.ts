import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import { planRepair, repairJournal } from '../../src/journal/repair/repair.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import { filesIn, type Image } from '../sim/image.ts';
import { decoders, loadCodecs, SIM_ROOT } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import {
  afterPowerLoss,
  append,
  change,
  diskAfter,
  entriesOf,
  flipAt,
  started,
} from './machine.ts';

const codecs = await loadCodecs();
const CAP = 40;
/** In the payload of the event that is damaged. */
const MARK = 'keepsake-4711';

/** Two closed segments, the first of which may be sealed, and one that is appended to. */
const grown = (isSealed: boolean): Image =>
  diskAfter((ports) => {
    append(ports, [newEvent(), newEvent({ data: { text: MARK } }), newEvent()], []);
    if (isSealed) compactJournal(ports, SIM_ROOT, codecs);
    append(ports, [newEvent(), newEvent()], [newEvent()]);
  });

const FIRST_SEGMENT = '0000000000000001.b10';
const CASES: [string, () => Image][] = [
  [
    'an event that cannot be read',
    () => change(grown(false), FIRST_SEGMENT, (bytes) => flipAt(bytes, bytes.indexOf(MARK))),
  ],
  [
    'a segment of which nothing can be read',
    () => change(grown(false), FIRST_SEGMENT, (bytes) => bytes.fill(MARK)),
  ],
  [
    'a sealed segment of which nothing can be read',
    () => change(grown(true), `${FIRST_SEGMENT}z`, (bytes) => bytes.fill(MARK)),
  ],
  ['a manifest with a flipped bit', () => change(grown(false), '/manifest', (b) => flipAt(b, 20))],
];

describe('a loss of power behind a repair', () => {
  it.each(CASES)('takes nothing of it back: %s', (_, damaged) => {
    const image = damaged();
    const machine = started(image);
    const readable = entriesOf(machine.ports).map(({ seq }) => seq);
    const isMarked = filesIn(image).some(([, bytes]) => bytes.includes(MARK.slice(1)));
    const { kept } = repairJournal(machine.ports, SIM_ROOT, decoders);
    expect(kept.length).toBeGreaterThan(0);
    const { blobKey } = readManifest(machine.ports, layoutOf(SIM_ROOT))!;
    for (const { image: left, where } of afterPowerLoss(machine, CAP)) {
      const { ports } = started(left);
      const actions = planRepair(ports, SIM_ROOT, decoders).map(({ action }) => action);
      expect(
        actions.filter((action) => action !== 'none'),
        where,
      ).toEqual([]);
      expect(readManifest(ports, layoutOf(SIM_ROOT))?.blobKey, where).toBe(blobKey);
      const seqs = entriesOf(ports).map(({ seq }) => seq);
      expect(seqs, where).toEqual(expect.arrayContaining(readable));
      const files = filesIn(left);
      const held = (name: string) => files.find(([path]) => path.endsWith(`/quarantine/${name}`));
      for (const name of kept) expect(held(name)?.[1].length ?? 0, where).toBeGreaterThan(0);
      if (isMarked)
        expect(
          files.some(([, bytes]) => bytes.includes(MARK.slice(1))),
          where,
        ).toBe(true);
    }
  });
});
