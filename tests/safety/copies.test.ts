import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { decoders, SIM_ROOT } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import {
  afterPowerLoss,
  append,
  diskAfter,
  entriesOf,
  idsIn,
  seenElsewhere,
  started,
} from './machine.ts';

const CAP = 60;

describe('a journal that was copied', () => {
  it('has all that was promised after a loss of power behind its first append', () => {
    const event = newEvent({}, 'disk');
    const machine = started(diskAfter((ports) => append(ports, [event])));
    append(machine.ports, [newEvent()]); // which nobody syncs
    const added = newEvent({}, 'disk');
    append(seenElsewhere(machine.others), [added]);
    const { journal } = layoutOf(SIM_ROOT);
    const folders = machine.ports.fs.readdir(journal).filter((name) => name.length === 32);
    const owed = [event, added].map(({ id }) => id.toString('hex'));
    for (const { image, where } of afterPowerLoss(machine, CAP)) {
      const { ports } = started(image);
      expect(verifyJournal(ports, SIM_ROOT, decoders).damage, where).toEqual([]);
      expect([...idsIn(ports)], where).toEqual(expect.arrayContaining(owed));
      expect(
        entriesOf(ports).map(({ seq }) => seq),
        where,
      ).toEqual([1, 2, 3, 4]);
      // Who looks into the folder by hand finds what the manifest names.
      expect(
        ports.fs.readdir(journal).filter((name) => name.length === 32),
        where,
      ).toEqual(folders);
    }
  });
});
