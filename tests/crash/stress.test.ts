/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch } from '../support.ts';
import { bundle } from './bundle.ts';
import { stress } from './stress.ts';

let holder: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  holder = await bundle('lock-holder');
});
afterAll(() => holder.remove());

describe('16 hooks at once, a server, compaction and erasure in loops, stopped holders of the lock', () => {
  it('lose nothing that was acknowledged, keep nothing twice and nothing that was erased, and no hook fails or speaks', {
    timeout: 240_000,
  }, async () => {
    const seed = Number(process.env.BEN10_SEED);
    const { violations, ...tally } = await stress({
      dir: scratch(),
      lockHolder: holder.program,
      hooks: 16,
      seconds: 5,
      erasures: 1,
      seed,
    });
    process.stdout.write(`stress: ${JSON.stringify(tally)}, seed ${seed}\n`);
    expect(violations).toEqual([]);
    expect(tally.hooks + tally.killed).toBeGreaterThanOrEqual(16);
    expect(tally.hooks).toBeGreaterThan(0);
    expect(tally.stopped).toBeGreaterThan(0);
    expect(tally.erasures).toBeGreaterThan(0);
  });
});
