import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createContext } from '../../src/mcp/create-context.ts';
import { type JobWays, startJobs } from '../../src/mcp/jobs.ts';
import { loadSettings } from '../../src/mcp/settings.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import type { Job } from '../../src/project/doors.ts';
import { scratch } from '../support.ts';
import { todo } from '../timetravel/snapshots/support.ts';
import { isAlive } from './processes.ts';

const WAIT = { timeout: 15_000, interval: 20 };

const job = (name: string, more: Partial<Job> = {}): Job => ({
  name,
  isApart: false,
  afterMs: 40,
  everyMs: 40,
  budgetMs: 60_000,
  run: async () => false,
  ...more,
});

async function started(jobs: readonly Job[], ways: Partial<JobWays> = {}) {
  const dir = scratch();
  todo({ dir }).close();
  const log = createLogger('error');
  const settings = await loadSettings(dir, log);
  const context = createContext({ dir, settings, log, hash: await loadXxh64(), touched() {} });
  const running = startJobs(context, { program: '', ask: async () => {}, ...ways }, jobs);
  onTestFinished(() => running.stop());
  return { running, dir };
}

describe('the server’s jobs', () => {
  it('are done one at a time', async () => {
    let [now, most, done] = [0, 0, 0];
    const ask = async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 80));
      now -= 1;
      done += 1;
    };
    await started([job('a'), job('b')], { ask });
    await vi.waitFor(() => expect(done).toBeGreaterThan(3), WAIT);
    expect(most).toBe(1);
  });

  it('do not keep each other from their turn: one that fails, or never ends, has a budget', async () => {
    const asked: string[] = [];
    const ask = (name: string) => {
      asked.push(name);
      if (name === 'fails') return Promise.reject(new Error('no'));
      return name === 'hangs' ? new Promise(() => {}) : Promise.resolve();
    };
    const slow = { everyMs: 3_600_000 };
    await started([job('hangs', { ...slow, budgetMs: 50 }), job('fails', slow), job('c')], { ask });
    await vi.waitFor(
      () => expect(asked.filter((one) => one === 'c').length).toBeGreaterThan(1),
      WAIT,
    );
    expect(asked.slice(0, 3)).toEqual(['hangs', 'fails', 'c']);
  });

  it('that have a process of their own are killed when the server ends', async () => {
    const program = path.join(scratch(), 'program.cjs');
    const told = `${program}.pid`;
    const text = `require('fs').writeFileSync(${JSON.stringify(told)}, String(process.pid)); setInterval(() => {}, 1000);`;
    writeFileSync(program, text);
    const { running } = await started([job('apart', { isApart: true })], { program });
    const pid = await vi.waitFor(() => {
      const said = Number(readFileSync(told, 'utf8'));
      expect(said).toBeGreaterThan(0);
      return said;
    }, WAIT);
    expect(running.isRunning).toBe(true);
    running.stop();
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), WAIT);
  });
});
