/** @module-tag long */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decoders, realPorts, scratch } from '../support.ts';
import { bundle } from './bundle.ts';
import type { Diet } from './crew.ts';
import { killAtRandom } from './random-kills.ts';

/** What `driver.ts` does at length. */
const RUNS: readonly { writers: number; diet: Diet; kills: number }[] = [
  { writers: 8, diet: 'mixed', kills: 16 },
  { writers: 1, diet: 'large', kills: 8 },
];

describe('processes killed with -9', () => {
  let built: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    built = await bundle('writer-process');
  });
  afterAll(() => built.remove());

  it.each(RUNS)(
    'lose no acknowledged event: $writers writers, $diet appends, $kills kills',
    {
      timeout: 300_000,
    },
    async (run) => {
      const seed = Number(process.env.BEN10_SEED);
      const { violations, ...tally } = await killAtRandom({
        ...run,
        program: built.program,
        root: path.join(scratch(), '.ben10'),
        ports: realPorts,
        decoders,
        seed,
      });
      process.stdout.write(`kill -9: ${JSON.stringify(tally)}, seed ${seed}\n`);
      expect(violations).toEqual([]);
      expect(tally.inAppends).toBeGreaterThan(0);
      expect(tally.kept).toBeGreaterThan(0);
      // Of nine writes of seven megabytes at least one was half done.
      if (run.diet === 'large') expect(tally.repairs).toBeGreaterThan(0);
    },
  );
});
