/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { resumeErasure } from '../../src/journal/erase/resume.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import { LEVEL_SEAL } from '../../src/journal/seal/seal.ts';
import { crashStates } from '../sim/crash-states.ts';
import { Killed } from '../sim/disk.ts';
import { decoders, loadCodecs, SIM_ROOT, startProcess } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import {
  afterPowerLoss,
  append,
  diskAfter,
  entriesOf,
  erase,
  idsIn,
  type Machine,
  started,
} from './machine.ts';

const codecs = await loadCodecs();
const CAP = 6;

const grown = (isClosed: boolean) =>
  diskAfter((ports) =>
    append(ports, [newEvent(), newEvent(), newEvent()], ...(isClosed ? [[]] : [])),
  );

const eraseSecond = (ports: JournalPorts) => erase(ports, codecs, [2]);

const compact = (ports: JournalPorts) =>
  void compactJournal(ports, SIM_ROOT, codecs, { level: LEVEL_SEAL });

/** Does the work in a process of that number, which is killed when a call is about to be made that `ends` says. */
function dyingAt(
  { disk }: Machine,
  number: number,
  ends: (call: string) => boolean,
  work: (ports: JournalPorts) => void,
): boolean {
  disk.beforeCall = (process, call) => {
    if (process === number && ends(call)) disk.kill(number);
  };
  try {
    work(startProcess(disk, number, number).ports);
    return false;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return true;
  } finally {
    disk.beforeCall = undefined;
  }
}

/** The sync that comes behind a rename in the folder of segments. */
function atSyncBehindSegment({ disk }: Machine): (call: string) => boolean {
  return (call) => {
    const last = disk.log.at(-1);
    return call === 'syncDir' && last?.kind === 'rename' && /\.b10z?$/.test(last.name);
  };
}

describe('a process that dies in an erasure', () => {
  it('takes nothing along that others are promised afterwards', () => {
    const image = grown(false);
    for (let dies = 0, hasDied = true; hasDied; dies += 1) {
      const machine = started(image);
      let calls = 0;
      hasDied = dyingAt(machine, 5, () => calls++ === dies, eraseSecond);
      const event = newEvent({}, 'disk');
      append(machine.ports, [event]);
      for (const { image: left, where } of afterPowerLoss(machine, CAP))
        expect(idsIn(started(left).ports), `died at ${dies}, ${where}`).toContain(
          event.id.toString('hex'),
        );
    }
  });
});

describe('a compaction and an erasure that died one after the other', () => {
  it('leave every event that was not erased, at whatever call the power goes that finishes them', () => {
    const machine = started(grown(true));
    const { disk, ports } = machine;
    expect(dyingAt(machine, 5, atSyncBehindSegment(machine), compact)).toBe(true);
    expect(dyingAt(machine, 6, atSyncBehindSegment(machine), eraseSecond)).toBe(true);
    const from = disk.log.length;
    resumeErasure(ports, SIM_ROOT, decoders);
    for (let point = from; point <= disk.log.length; point += 1) {
      for (const { image, choice } of crashStates(disk.base, disk.log, point, 'paranoid', 60)
        .states) {
        const seqs = entriesOf(started(image).ports).map(({ seq }) => seq);
        expect(seqs, `call ${point - from} [${choice}]`).toEqual(expect.arrayContaining([1, 3]));
      }
    }
  });
});
