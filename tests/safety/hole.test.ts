import { describe, expect, it } from 'vitest';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { crashStates } from '../sim/crash-states.ts';
import { SimDisk } from '../sim/disk.ts';
import { copyOf, type Image } from '../sim/image.ts';
import { decoders, SIM_ROOT, startProcess } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import { afterPowerLoss, append, diskAfter, idsIn, NOW, started } from './machine.ts';

const CAP = 40;
const HOUR_MS = 3_600_000;

/** A loss of power took the first of two events that nobody had synced, and left the second one. */
function holed(): Image {
  const [lost, left] = [newEvent({ data: { text: 'x'.repeat(600) } }), newEvent()];
  const machine = started(diskAfter((ports) => append(ports, [newEvent({}, 'disk')])));
  const writer = new JournalWriter(machine.ports, SIM_ROOT, { lockBudgetMs: 50 });
  for (const event of [lost, left]) writer.append([event]);
  writer.close();
  const isHoled = ({ image }: { image: Image }) => {
    const ids = idsIn(started(image).ports);
    return ids.has(left.id.toString('hex')) && !ids.has(lost.id.toString('hex'));
  };
  return afterPowerLoss(machine, CAP).find(isHoled)!.image;
}

/** A machine that was started just now. */
const rebooted = (image: Image, hours: number): SimDisk =>
  new SimDisk(copyOf(image), NOW + hours * HOUR_MS, NOW + hours * HOUR_MS);

const appendAs = (disk: SimDisk, number: number): void =>
  append(startProcess(disk, number, number).ports, [newEvent({}, 'disk')]);

describe('a recovery that cuts events off behind a hole', () => {
  it('can lose the power at any call, and what it cut never stands behind what it wrote', () => {
    const disk = rebooted(holed(), 1);
    appendAs(disk, 1);
    for (let point = 0; point <= disk.log.length; point += 1) {
      for (const { image, choice } of crashStates(disk.base, disk.log, point, 'paranoid', CAP)
        .states) {
        const again = rebooted(image, 2);
        appendAs(again, 2);
        const { ports } = startProcess(again, 3, 3);
        const { damage } = verifyJournal(ports, SIM_ROOT, decoders);
        expect(damage, `call ${point} [${choice}]`).toEqual([]);
      }
    }
  });
});
