import { beforeAll, describe, expect, it } from 'vitest';
import { eraseEvents } from '../../src/journal/erase/erase.ts';
import { encodeContainer } from '../../src/journal/format/container.ts';
import { typeTag } from '../../src/journal/format/envelope.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { newAccount } from './account.ts';
import { spentAfter } from './budget.ts';
import { newTally, type Tally } from './counting.ts';
import { contentsOf, crashStates, killStates } from './crash-states.ts';
import { flipBits } from './damage.ts';
import { fileSystemOf, SimDisk } from './disk.ts';
import { exhaust } from './exhaustive.ts';
import { emptyImage, filesIn } from './image.ts';
import { interleave } from './interleaved.ts';
import { judge } from './oracle.ts';
import { decoders, loadCodecs, SIM_ROOT, startProcess } from './process.ts';
import { optionsOf, type RandomOptions, runRandom } from './random.ts';
import regressions from './regressions.json' with { type: 'json' };
import { workloads, workloadsUpTo } from './words.ts';
import { type Letter, World } from './workload.ts';

const LZ4 = { method: 'lz4' as const, codec: lz4Codec, level: 0 };

let codecs: Awaited<ReturnType<typeof loadCodecs>>;
beforeAll(async () => {
  codecs = await loadCodecs();
});

function expectClean(name: string, tally: Tally, statesMin: number): void {
  process.stdout.write(`${name}: ${tally.states} states\n`);
  expect(tally.violations).toEqual([]);
  expect(tally.states).toBeGreaterThanOrEqual(statesMin);
}

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

  it('misses in the state what was dropped, where the states of then are gone as well', () => {
    expect(sentences(grown('pxp'), () => undefined)).toEqual([]);
    const lost = sentences(grown('px'), ({ disk }) => {
      const ports = startProcess(disk, 7, 1).ports;
      const states = [...new JournalReader(ports, SIM_ROOT, decoders).entries()].flatMap(
        ({ entry }) => (entry?.typeTag === typeTag('journal.based', xxh64) ? [entry.seq] : []),
      );
      const origin = new JournalReader(ports, SIM_ROOT, decoders).origin()!;
      const events = states.map((seq) => ({ origin, seq }));
      eraseEvents(ports, SIM_ROOT, codecs, () => ({ by: 'event', events, blobs: [], files: [] }));
    });
    expect(lost).toContain(12);
  });

  it('misses the file of a save that an event names', () => {
    const lost = sentences(grown('pw'), ({ disk }) => {
      const [save] = filesIn(disk.live).filter(([path]) => /saves\/.*\.ctx$/.test(path));
      fileSystemOf(disk, 7).unlink(save![0]);
    });
    expect(lost).toEqual([8]);
  });

  it('takes a tombstone for the event that was erased', () => {
    expect(sentences(grown('ppwkep'), () => undefined)).toEqual([]);
  });

  it('finds an erased text wherever it is, packed or not', () => {
    const leaks: [string, (canary: string) => Buffer][] = [
      ['raw', (canary) => Buffer.from(`{"${canary}"}`)],
      ['packed.ckpt', (canary) => encodeContainer(Buffer.from(canary.repeat(9)), xxh64, LZ4)],
    ];
    for (const [name, leak] of leaks) {
      const world = grown('pe');
      const canary = [...world.account.attempted.values()][0]!.canary!;
      const fs = fileSystemOf(world.disk, 7);
      fs.write(fs.open(`${SIM_ROOT}/${name}`, 'wx'), leak(canary), 0);
      expect(
        sentences(world, () => undefined),
        name,
      ).toEqual([11]);
    }
  });

  it('knows a tombstone that nobody asked for, and an erasure that did not happen', () => {
    const unasked = sentences(grown('pe'), ({ account }) => void account.erasures.pop());
    expect(unasked).toContain(11);
    const undone = sentences(grown('pp'), ({ account }) => {
      const [id] = [...account.attempted.keys()];
      account.erasures.push({ ids: [id!], asked: 0, done: 0 });
    });
    expect(undone).toContain(11);
  });

  it('knows an erasure that was cut off and is called complete too early', () => {
    const world = grown('pe');
    const [erasure] = world.account.erasures;
    delete erasure!.done;
    const canary = [...world.account.attempted.values()][0]!.canary!;
    const fs = fileSystemOf(world.disk, 7);
    fs.write(fs.open(`${SIM_ROOT}/left`, 'wx'), Buffer.from(canary), 0);
    expect(sentences(world, () => undefined)).toEqual([11]);
  });

  it('wants the losses that were recorded, and no others', () => {
    const lost = sentences(grown('p'), ({ account }) => {
      account.losses = [{ segment: '1.b10', firstSeq: 1, lastSeq: 1, recordedAt: 2 }];
    });
    expect(lost).toEqual([13]);
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
  it('goes through every workload once: all of the short ones first, the long ones as the seed says', () => {
    const named = (seed: number) =>
      [...workloads(4, seed)].map(
        ({ number, word, style }) => `${number} ${style} ${word.join('')}`,
      );
    const [one, two] = [named(1), named(2)];
    expect(new Set(one.map((name) => name.replace(/^\d+ /, ''))).size).toBe(workloadsUpTo(4));
    const short = workloadsUpTo(2);
    expect(one.slice(0, short)).toEqual(two.slice(0, short));
    expect(one.slice(short, short + 100)).not.toEqual(two.slice(short, short + 100));
    expect(one.findIndex((name) => name.split(' ')[2]!.length > 2)).toBe(short);
    const inOrder = named(0).map((name) => name.split(' ')[2]!.length);
    expect(inOrder).toEqual(inOrder.toSorted());
    expect(inOrder).toHaveLength(workloadsUpTo(4));
  });

  it('keeps no more stored states than it is meant to', () => {
    const world = new World(codecs, 1);
    world.run('o', 1);
    const stored = filesIn(world.disk.live).filter(([path]) => path.endsWith('.ckpt'));
    expect(stored).toHaveLength(5);
  });

  it('keeps its promises at every crash of every workload of one operation, recovery crashed too', {
    tags: 'long',
  }, () => {
    const options = { length: 1, cap: 8, nestedCap: 2, until: spentAfter(60), seed: 1, from: 0 };
    expectClean('one operation', exhaust(codecs, options), 1000);
  });

  // A name that its giver did not sync; a tail that is being written; two writers at once.
  it.each(['pprp:c:c', ':d:d', 'pp:p:v'])(
    'keeps them when a second process comes in: %s',
    (pair) => {
      const tally = newTally();
      interleave(codecs, { until: spentAfter(120), pair }, tally);
      expectClean(pair, tally, 20);
      expect(tally.isComplete).toBe(true);
    },
  );

  it('notices flipped bits, and loses nothing but what they hit', () => {
    const tally = newTally();
    flipBits(codecs, { stride: 311, until: spentAfter(120) }, tally);
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
    const first = Number(process.env.BEN10_SEED);
    for (let seed = first; seed < first + 10; seed += 1) runRandom(codecs, optionsOf(seed), tally);
    expectClean('by chance', tally, 20);
  });
});
