import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decoders, realPorts, scratch } from '../support.ts';
import { bundle } from './bundle.ts';
import { killAt, killPoints } from './every-point.ts';

let doomed: Awaited<ReturnType<typeof bundle>>;
let writer: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  [doomed, writer] = await Promise.all([bundle('doomed-process'), bundle('writer-process')]);
});
afterAll(() => {
  doomed.remove();
  writer.remove();
});

describe('a writer that is killed at any point of what writers do', () => {
  it('leaves everything that it acknowledged, once and in order, and a sound journal', {
    timeout: 300_000,
  }, async () => {
    const programs = { doomed: doomed.program, writer: writer.program };
    const points = await killPoints(programs, path.join(scratch(), '.ben10'));
    const wrong: string[] = [];
    for (const point of points) {
      const root = path.join(scratch(), '.ben10');
      const run = await killAt(point, 0, programs, { root, ports: realPorts, decoders });
      const at = `${point.when} ${point.name}, ${point.nth}`;
      if (!run.killed) wrong.push(`${at}: was not reached`);
      wrong.push(...run.violations.map((violation) => `${at}: ${violation}`));
    }
    process.stdout.write(`kill -9 at named points: ${points.length} points\n`);
    expect(wrong).toEqual([]);
    expect(new Set(points.map(({ name }) => name)).size).toBeGreaterThan(30);
  });
});
