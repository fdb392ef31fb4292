/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch } from '../support.ts';
import { bundle } from './bundle.ts';
import { Bystanders } from './bystanders.ts';
import { killPoints, PointKiller } from './every-point.ts';

/** Of the points, so many are left to `driver.ts`. */
const ONE_IN = { 1: 5, 3: 25 };

let doomed: Awaited<ReturnType<typeof bundle>>;
let bystander: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  [doomed, bystander] = await Promise.all([bundle('doomed-process'), bundle('bystander-process')]);
});
afterAll(() => {
  doomed.remove();
  bystander.remove();
});

describe('a writer that is killed at a point of what writers do', () => {
  it.each([1, 3] as const)(
    'leaves everything that was acknowledged, once and in order, and a sound journal: %i writers',
    {
      timeout: 300_000,
    },
    async (writers) => {
      const found = await killPoints(doomed.program, `${scratch()}/.ben10`);
      expect(new Set(found.map(({ name }) => name)).size).toBeGreaterThan(50);
      const points = found.filter(({ nth }, index) => index % ONE_IN[writers] === 0 && nth === 1);
      const others = writers === 1 ? undefined : new Bystanders(bystander.program, writers - 1);
      const killer = new PointKiller(doomed.program, scratch(), others);
      const wrong: string[] = [];
      try {
        for (const point of points) {
          const { died, violations } = await killer.kill(point);
          const at = `${point.when} ${point.name}, ${point.nth}`;
          if (!died) wrong.push(`${at}: was not reached`);
          wrong.push(...violations.map((violation) => `${at}: ${violation}`));
        }
      } finally {
        await others?.end();
      }
      expect(wrong).toEqual([]);
    },
  );
});
