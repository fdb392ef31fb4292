import { beforeAll, describe, expect, it } from 'vitest';
import { newTally } from './counting.ts';
import { loadCodecs } from './process.ts';
import { type RepairedOptions, repairedOptionsOf, runRepaired } from './repaired.ts';

const CRASH = { cap: 2, nestedCap: 0 };
/** So that each operation comes last once. */
const COURSES = 17;
/** What failed once. */
const REGRESSIONS: readonly RepairedOptions[] = [
  { repaired: 318, server: true, word: 'rkcnsdnd!nRCen!!dRve' },
  { repaired: 2579, server: true, word: 'pcedtsxwx!!dRe' },
  { repaired: 50010, server: true, word: 'wsncpwc!!Rae' },
  { repaired: 5001187, server: true, word: 'tccrbrpmc!Rd' },
  { repaired: 5001840, server: false, word: 'dsppkdcc!!!pRd' },
  { repaired: 5002004, server: false, word: 'xcwopcbc!!Rd' },
  { repaired: 5007756, server: true, word: 'cprdso!!Rd' },
];

let codecs: Awaited<ReturnType<typeof loadCodecs>>;
beforeAll(async () => {
  codecs = await loadCodecs();
});

describe('a repaired journal', () => {
  it('goes on as any other does, whatever comes next and dies', { tags: 'long' }, () => {
    const tally = newTally();
    const first = Number(process.env.BEN10_SEED);
    for (let seed = first; seed < first + COURSES; seed += 1)
      runRepaired(codecs, repairedOptionsOf(seed), CRASH, tally);
    process.stdout.write(`repaired: ${tally.states} states\n`);
    expect(tally.violations).toEqual([]);
    expect(tally.workloads).toBe(COURSES);
    expect(tally.states).toBeGreaterThanOrEqual(500);
  });

  it.each(REGRESSIONS)('does so in what failed before: seed $repaired', (line) => {
    const tally = newTally();
    runRepaired(codecs, line, CRASH, tally);
    expect(tally.violations).toEqual([]);
    expect(tally.states).toBeGreaterThanOrEqual(1);
  });
});
