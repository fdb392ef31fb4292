import { describe, expect, it } from 'vitest';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import type { FileSystem } from '../../src/platform/fs.ts';
import { SIM_ROOT } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import { afterPowerLoss, append, diskAfter, idsIn, started } from './machine.ts';

const CAP = 40;

/** The same, where one file has another name outside of what is simulated. */
const withSecondName = (fs: FileSystem, ino: number): FileSystem => ({
  ...fs,
  fstat: (fd) => {
    const stat = fs.fstat(fd);
    return stat.ino === ino ? { ...stat, nlink: 2 } : stat;
  },
});

describe('a segment that has another name as well', () => {
  it('is on the disk under its own name before anything is acknowledged', () => {
    const before = [newEvent({}, 'disk'), newEvent({}, 'disk')];
    const image = diskAfter((ports) => append(ports, before));
    const machine = started(image);
    const segment = [...image.files].find(([, bytes]) => bytes.includes(before[0]!.payload))![0];
    const ports = { ...machine.ports, fs: withSecondName(machine.ports.fs, segment) };
    const writer = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs: 50 });
    const added = newEvent({}, 'disk');
    expect(writer.append([added])).toMatchObject({ spooled: false });
    writer.close();
    const owed = [...before, added].map(({ id }) => id.toString('hex'));
    for (const { image: left, where } of afterPowerLoss(machine, CAP))
      expect([...idsIn(started(left).ports)], where).toEqual(expect.arrayContaining(owed));
  });
});
