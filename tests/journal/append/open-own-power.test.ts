import { describe, expect, it } from 'vitest';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { crashStates } from '../../sim/crash-states.ts';
import { SimDisk } from '../../sim/disk.ts';
import { copyOf, emptyImage, fileAt, filesIn, type Image } from '../../sim/image.ts';
import { SIM_ROOT, startProcess } from '../../sim/process.ts';
import { decoders, newEvent } from '../../support.ts';

const NOW = 1_795_250_000_000;
/** States looked at after each call. */
const CAP = 24;
const BACKUP = '/project/backup.b10';

const named = (n: number) => newEvent({ data: { text: `event ${n}.` } }, 'disk');

/** Three events in a segment that a backup holds by a second name. */
function linked(): { image: Image; backup: Buffer } {
  const disk = new SimDisk(emptyImage(), NOW);
  const { ports } = startProcess(disk, 1, 1);
  ports.fs.mkdir('/project');
  const writer = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs: 50 });
  writer.append([1, 2, 3].map(named));
  writer.close();
  const image = copyOf(disk.live);
  const [segment] = filesIn(image).find(([file]) => file.endsWith('.b10'))!;
  const number = fileAt(image, segment)!;
  image.folders.get(fileAt(image, '/project')!)!.set('backup.b10', number);
  return { image, backup: Buffer.from(image.files.get(number)!) };
}

/** A process that sees the second name: the simulated disk counts one for every file. */
function startedOn(disk: SimDisk, number: number) {
  const process = startProcess(disk, number, number + 1);
  const { fs } = process.ports;
  const fstat = fs.fstat.bind(fs);
  const linked = fileAt(disk.live, BACKUP);
  fs.fstat = (fd) => {
    const stat = fstat(fd);
    return stat.ino === linked ? { ...stat, nlink: 2 } : stat;
  };
  return process;
}

const readable = ({ ports }: ReturnType<typeof startProcess>): string =>
  [...new JournalReader(ports, SIM_ROOT, decoders).entries()]
    .map(({ entry }) => /event \d+\./.exec(entry?.payload.toString('latin1') ?? '')?.[0])
    .join(' ');

describe.each(['ext4-ordered', 'paranoid'] as const)('a loss of power on %s', (profile) => {
  it('while a segment that has a second name becomes a file of its own takes nothing from either', () => {
    const { image, backup } = linked();
    const disk = new SimDisk(copyOf(image), NOW + 60_000);
    const writer = new JournalWriter(startedOn(disk, 1).ports, SIM_ROOT, {
      lockBudgetMs: 50,
    });
    const begun = disk.log.length;
    writer.append([named(4)]);
    writer.close();
    const { log } = disk;
    expect(log.slice(begun).some(({ kind }) => kind === 'rename')).toBe(true);
    for (let upto = begun; upto <= log.length; upto += 1)
      for (const state of crashStates(disk.base, log, upto, profile, CAP).states) {
        const where = `call ${upto} of ${log.length}, ${state.choice}`;
        const late = new SimDisk(copyOf(state.image), NOW + 3_600_000);
        const process = startedOn(late, 2);
        const next = new JournalWriter(process.ports, SIM_ROOT, { lockBudgetMs: 50 });
        next.append([named(5)]);
        next.close();
        // The fourth was promised when its append was done.
        const four = upto === log.length ? 'event 4. ' : '(?:event 4. )?';
        const expected = new RegExp(`^event 1. event 2. event 3. ${four}.*event 5.$`);
        expect(readable(process), where).toMatch(expected);
        expect(verifyJournal(process.ports, SIM_ROOT, decoders).damage, where).toEqual([]);
        const left = late.live.files.get(fileAt(late.live, BACKUP)!)!;
        expect(left.equals(backup), where).toBe(true);
      }
  });
});
