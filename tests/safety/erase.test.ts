import { describe, expect, it } from 'vitest';
import { filesIn } from '../sim/image.ts';
import { loadCodecs, SIM_ROOT } from '../sim/process.ts';
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

describe('a segment whose chain somebody broke, with all sums right', () => {
  it('is left as it is by an erasure: new tombstones would make it look sound', () => {
    const broken = (bytes: Buffer) => rechain(bytes, framesIn(bytes).at(-1)!);
    const { disk, ports } = started(change(grown(), '.b10', broken));
    const before = filesIn(disk.live).find(([path]) => path.endsWith('.b10'))!;
    expect(() => erase(ports, codecs, [2])).toThrow('damaged');
    expect(filesIn(disk.live)).toContainEqual(before);
  });
});
