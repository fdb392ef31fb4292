/** @module-tag long */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundle } from './bundle.ts';
import { killOverhauls } from './overhaul-kills.ts';

/** Of the places, so many are left to `driver.ts`. */
const ONE_IN = 12;

describe('repair, erase and the drop of old events, killed with -9', () => {
  it('are not begun or finished by who comes next, lose nothing, and leave nothing that was erased', {
    timeout: 300_000,
  }, async () => {
    const top = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ben10-'));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const { program: bystander, remove } = await bundle('bystander-process');
    onTestFinished(remove);
    const seed = Number(process.env.BEN10_SEED);
    const run = { lane: 0, lanes: 1, oneIn: ONE_IN, seed, bystander };
    const { violations, ...tally } = await killOverhauls(top, run);
    process.stdout.write(`kill -9 of overhauls: ${JSON.stringify(tally)}, seed ${seed}\n`);
    expect(violations).toEqual([]);
    expect(tally.places).toBeGreaterThan(10);
    expect(tally.died).toBe(tally.places);
  });
});
