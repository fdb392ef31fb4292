import { expect, it } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { Killed } from '../sim/disk.ts';
import { SIM_ROOT } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import { afterPowerLoss, append, diskAfter, idsIn, started } from './machine.ts';

const CAP = 40;

it('an inbox that a drain which died had taken in is emptied only once that is on the disk', () => {
  const waiting = newEvent({}, 'disk');
  const id = waiting.id.toString('hex');
  const image = diskAfter((ports) => {
    append(ports, [newEvent({}, 'disk')]);
    spool(ports, layoutOf(SIM_ROOT), [waiting]);
  });
  let died = 0;
  for (let call = 1; ; call += 1) {
    const machine = started(image);
    const { disk, ports, others } = machine;
    let calls = 0;
    disk.beforeCall = (process) => {
      calls += 1;
      if (calls === call) disk.kill(process);
    };
    let isKilled = false;
    try {
      const first = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs: 50 });
      first.drain();
      first.close();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      isKilled = true;
    }
    disk.beforeCall = undefined;
    if (!isKilled) break;
    died += 1;
    const second = new JournalWriter(others, SIM_ROOT, { lockBudgetMs: 50 });
    expect(second.drain()).toBe(true);
    second.close();
    for (const { image: left, where } of afterPowerLoss(machine, CAP))
      expect(idsIn(started(left).ports), `call ${call}, ${where}`).toContain(id);
  }
  expect(died).toBeGreaterThan(10);
});
