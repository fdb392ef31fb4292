import { describe, expect, it } from 'vitest';
import { erasedIds } from '../../src/journal/erase/erased-ids.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { filesIn } from '../sim/image.ts';
import { decoders, loadCodecs, SIM_ROOT } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import { framesIn, rechain } from './frames.ts';
import { afterPowerLoss, append, change, diskAfter, erase, started } from './machine.ts';

const codecs = await loadCodecs();
const CAP = 40;
const LEFT = `${SIM_ROOT}/left-behind`;
const SECRET = 'kanari-4711-vogel';

const grown = () =>
  diskAfter((ports) => {
    append(ports, [newEvent(), newEvent(), newEvent()]);
    const fd = ports.fs.open(LEFT, 'wx');
    ports.fs.write(fd, Buffer.from(SECRET), 0);
    ports.fs.close(fd);
  });

describe('a file that an erasure removes though no event has to go', () => {
  it('stays away after a loss of power', () => {
    const machine = started(grown());
    erase(machine.ports, codecs, [], [LEFT]);
    for (const { image, where } of afterPowerLoss(machine, CAP))
      expect(
        filesIn(image).filter(([, bytes]) => bytes.includes(SECRET)),
        where,
      ).toEqual([]);
  });
});

describe('the list of erased ids', () => {
  it('is not believed with any flipped bit: tombstones tell the same', () => {
    const { disk, ports } = started(grown());
    erase(ports, codecs, [2]);
    const layout = layoutOf(SIM_ROOT);
    const reader = new JournalReader(ports, SIM_ROOT, decoders);
    const known = () => [...erasedIds(ports, layout, reader, 1)];
    const sound = known();
    expect(sound.map(([, seq]) => seq)).toEqual([2]);
    const path = `${layout.journal}/erased`;
    const file = disk.find(path)!;
    const bytes = disk.live.files.get(file)!;
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = damaged[bit >> 3]! ^ (1 << (bit & 7));
      disk.live.files.set(file, damaged);
      expect(known(), `bit ${bit}`).toEqual(sound);
    }
  });
});

describe('a segment whose chain somebody broke, with all sums right', () => {
  it('is left as it is by an erasure: new tombstones would make it look sound', () => {
    const broken = (bytes: Buffer) => rechain(bytes, framesIn(bytes).at(-1)!);
    const { disk, ports } = started(change(grown(), '.b10', broken));
    const before = filesIn(disk.live).find(([path]) => path.endsWith('.b10'))!;
    expect(() => erase(ports, codecs, [2])).toThrow('damaged');
    expect(filesIn(disk.live)).toContainEqual(before);
  });
});
