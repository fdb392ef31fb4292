/** @module-tag long */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { killCommands } from './command-kills.ts';

/** Of the places, so many are left to `driver.ts`. */
const ONE_IN = 20;

describe('a command that is killed with -9', () => {
  it('has been done or has not, loses nothing that was there, and can be done again', {
    timeout: 300_000,
  }, async () => {
    const top = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ben10-'));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const seed = Number(process.env.BEN10_SEED);
    const run = { lane: 0, lanes: 1, oneIn: ONE_IN, seed };
    const { violations, ...tally } = await killCommands(top, run);
    process.stdout.write(`kill -9 of commands: ${JSON.stringify(tally)}, seed ${seed}\n`);
    expect(violations).toEqual([]);
    expect(tally.places).toBeGreaterThan(4);
    expect(tally.done).toBeGreaterThan(0);
    expect(tally.done).toBeLessThan(tally.places + tally.moments);
  });
});
