import { beforeAll, describe, expect, it } from 'vitest';
import { newAccount } from './account.ts';
import { contentsOf, crashStates, killStates } from './crash-states.ts';
import { flipBits } from './damage.ts';
import { fileSystemOf, SimDisk } from './disk.ts';
import { exhaust, newTally, type Tally, words } from './exhaustive.ts';
import { emptyImage, filesIn } from './image.ts';
import { interleave } from './interleaved.ts';
import { judge } from './oracle.ts';
import { loadCodecs } from './process.ts';
import { optionsOf, type RandomOptions, runRandom } from './random.ts';
import regressions from './regressions.json' with { type: 'json' };
import { LETTERS, type Letter, World } from './workload.ts';

let codecs: Awaited<ReturnType<typeof loadCodecs>>;
beforeAll(async () => {
  codecs = await loadCodecs();
});

function expectClean(name: string, tally: Tally, statesMin: number): void {
  const known = [...tally.exceptions].map(([one, { count }]) => `${one} ${count}`).join(', ');
  process.stdout.write(`${name}: ${tally.states} states, known: ${known || 'nothing'}\n`);
  expect(tally.violations).toEqual([]);
  expect(tally.states).toBeGreaterThanOrEqual(statesMin);
}

const soon = (seconds: number) => Date.now() + seconds * 1000;

describe('the simulated disk', () => {
  const write = (at: number, text: string) => ({
    kind: 'write' as const,
    file: 9,
    at,
    bytes: Buffer.from(text),
  });

  it('keeps what was synced, and may lose any part of what was not', () => {
    const disk = new SimDisk(emptyImage(), 0);
    const fs = fileSystemOf(disk, 1);
    const fd = fs.open('/a', 'wx');
    fs.write(fd, Buffer.from('synced'), 0);
    fs.datasync(fd);
    fs.syncDir('/');
    fs.write(fd, Buffer.from(', and not'), 6);
    const { states } = crashStates(disk.base, disk.log, disk.log.length, 'paranoid', 100);
    const contents = states.map(({ image }) => filesIn(image).map(([, bytes]) => String(bytes)));
    expect(contents).toContainEqual(['synced']);
    expect(contents).toContainEqual(['synced, and not']);
    expect(contents).toContainEqual([`synced${'\0'.repeat(9)}`]);
    expect(contents.every(([text]) => text!.startsWith('synced'))).toBe(true);
  });

  it('forgets a name until its folder is synced, and ext4 keeps the order of names', () => {
    const disk = new SimDisk(emptyImage(), 0);
    const fs = fileSystemOf(disk, 1);
    fs.close(fs.open('/a', 'wx'));
    fs.close(fs.open('/b', 'wx'));
    const namesIn = (profile: 'paranoid' | 'ext4-ordered') =>
      crashStates(disk.base, disk.log, disk.log.length, profile, 100).states.map(({ image }) =>
        filesIn(image)
          .map(([path]) => path)
          .join(''),
      );
    expect(namesIn('paranoid').sort()).toEqual(['', '/a', '/a/b', '/b']);
    expect(namesIn('ext4-ordered').sort()).toEqual(['', '/a', '/a/b']);
    fs.syncDir('/');
    expect(namesIn('paranoid')).toEqual(['/a/b']);
  });

  it('may persist a later write and lose an earlier one, unless it orders them', () => {
    const ops = [write(0, 'first'), write(5, 'second')];
    const of = (profile: 'paranoid' | 'ext4-ordered') =>
      contentsOf(Buffer.alloc(0), ops, profile).map(String);
    expect(of('paranoid')).toContain(`${'\0'.repeat(5)}second`);
    expect(of('ext4-ordered').every((text) => 'firstsecond'.startsWith(text))).toBe(true);
  });

  it('cuts the write that a kill comes into', () => {
    const disk = new SimDisk(emptyImage(), 0);
    const fs = fileSystemOf(disk, 1);
    fs.write(fs.open('/a', 'wx'), Buffer.alloc(1000, 'x'), 0);
    const sizes = killStates(disk.base, disk.log, 1).map(
      ({ image }) => filesIn(image)[0]![1].length,
    );
    expect(sizes).toContain(0);
    expect(sizes).toContain(512);
    expect(sizes).toContain(1);
  });
});

describe('the oracle', () => {
  const grown = (word: string) => {
    const world = new World(codecs, 1);
    for (const letter of word) world.run(letter as Letter, 1);
    return world;
  };
  const sentences = (world: World, change: (world: World) => void, kind: 'kill' = 'kill') => {
    change(world);
    const { violations } = judge(world.disk.live, world.account, { kind }, world.disk.now);
    return [...new Set(violations.map(({ sentence }) => sentence))];
  };

  it('is content with what nothing happened to', () => {
    expect(sentences(grown('pdbskr'), () => undefined)).toEqual([]);
  });

  it('misses an event that was acknowledged and is not there', () => {
    const empty = new SimDisk(emptyImage(), 0);
    fileSystemOf(empty, 1).mkdir('/project');
    const { violations } = judge(empty.live, grown('p').account, { kind: 'kill' }, 0);
    expect(violations[0]).toMatchObject({ sentence: 4 });
  });

  it('knows an event that nobody sent', () => {
    const { violations } = judge(grown('p').disk.live, newAccount(), { kind: 'kill' }, 0);
    expect(violations[0]).toMatchObject({ sentence: 1 });
  });

  it('sees that a process’s events stand in another order', () => {
    const swapped = sentences(grown('pp'), ({ account }) => {
      const [first, second] = [...account.attempted.values()];
      [first!.number, second!.number] = [second!.number, first!.number];
    });
    expect(swapped).toContain(2);
  });
});

describe('the journal on a simulated disk', () => {
  it('counts every workload once', () => {
    for (const length of [1, 2, 3])
      expect(new Set([...words(length)].map(String)).size).toBe(LETTERS.length ** length);
  });

  it('keeps its promises at every crash of every workload of one operation, recovery crashed too', () => {
    const options = { length: 1, cap: 8, nestedCap: 2, until: soon(60) };
    expectClean('one operation', exhaust(codecs, options), 1000);
  });

  // A name that its giver did not sync; a tail that is being written; two writers at once.
  it.each(['pprp:c:c', ':d:d', 'pp:p:v'])(
    'keeps them when a second process comes in: %s',
    (pair) => {
      const tally = newTally();
      interleave(codecs, { until: soon(120), pair }, tally);
      expectClean(pair, tally, 20);
      expect(tally.isComplete).toBe(true);
    },
  );

  it('notices flipped bits, and loses nothing but what they hit', () => {
    const tally = newTally();
    flipBits(codecs, { stride: 311, until: soon(120) }, tally);
    expectClean('flipped bits', tally, 60);
  });

  it.each(regressions as RandomOptions[])(
    'keeps them in what failed before: seed $seed',
    (line) => {
      const tally = newTally();
      runRandom(codecs, line, tally);
      expectClean(`seed ${line.seed}`, tally, 1);
    },
  );

  it('keeps them with many processes, kills and losses of power', () => {
    const tally = newTally();
    const first = Number(process.env.BEN10_SEED ?? 1);
    for (let seed = first; seed < first + 10; seed += 1) runRandom(codecs, optionsOf(seed), tally);
    expectClean('by chance', tally, 20);
  });
});
