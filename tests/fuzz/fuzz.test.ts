import { describe, expect, it } from 'vitest';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { Chance } from '../damage/chance.ts';
import { fuzz, newTally } from './campaign.ts';
import { targets } from './targets.ts';

const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
/** The same inputs each time, or another seed's; the driver goes further. */
const seed = Number(process.env.BEN10_SEED);
const INPUTS = 2400;

describe(`input that is nearly right (seed ${seed})`, () => {
  it.each(targets(makers, new Chance(seed)).map((one) => [one.name, one] as const))(
    'is read or refused, soon, and the same each time: %s',
    (_, target) => {
      const tally = newTally();
      fuzz(target, tally, seed, 0, INPUTS / target.share);
      expect(tally.violations).toEqual([]);
      expect(tally.inputs).toBe(INPUTS / target.share);
    },
  );
});

describe('the campaign', () => {
  const telling = (outcome: () => unknown) => {
    const tally = newTally();
    fuzz({ name: 'one', share: 1, run: () => ({ bytes: 10, outcome }) }, tally, 1, 0, 1);
    return tally.violations;
  };

  it('notices what is thrown, but for errors of ben10’s own', () => {
    expect(telling(() => JSON.parse('{'))).toHaveLength(1);
    const refuse = () => {
      throw new Ben10Error('USAGE', 'no');
    };
    expect(telling(refuse)).toEqual([]);
  });

  it('notices another result the second time, and what takes too long', { tags: 'long' }, () => {
    let n = 0;
    expect(
      telling(() => {
        n += 1;
        return n;
      }),
    ).toHaveLength(1);
    const slow = () => {
      const start = process.cpuUsage();
      while (process.cpuUsage(start).user < 100_000);
    };
    expect(telling(slow)[0]).toContain('ms per 64 KiB');
  });

  it('stops at what comes to no end, and says which input it was', { tags: 'long' }, () => {
    const tally = newTally();
    const outcome = () => {
      for (;;);
    };
    const run = (chance: Chance) => ({ bytes: 10, outcome: chance.coin() ? outcome : () => 1 });
    fuzz({ name: 'one', share: 1, run }, tally, 1, 0, 100, 500);
    const { inputs, isStuck, violations } = tally;
    expect(isStuck).toBe(true);
    expect(violations).toEqual([
      `--only 'one' --input ${inputs - 1} --seed 1\n    no end after 0.5 s`,
    ]);
    const again = newTally();
    fuzz({ name: 'one', share: 1, run }, again, 1, inputs - 1, 1, 500);
    expect(again.violations).toEqual(violations);
  });
});
