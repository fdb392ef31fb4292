import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isThere, runner, until } from '../../../src/platform/programs/run.ts';
import { scratch } from '../../support.ts';

const run = runner(new AbortController().signal);
const sh = (script: string) => run('/bin/sh', ['-c', script], '/');

describe('a program that is run', () => {
  it('is heard only when it succeeds, and says no more than a megabyte', async () => {
    expect(await sh('echo yes')).toBe('yes\n');
    expect(await sh('echo yes; exit 3')).toBeUndefined();
    expect(await sh('head -c 2000000 /dev/zero')).toBeUndefined();
    expect(await run('/nonexistent/program', [], '/')).toBeUndefined();
    expect(await run('/bin/sh', ['-c', 'echo yes'], '/nonexistent')).toBeUndefined();
  });

  it('reads nothing, and is not asked in another language', async () => {
    expect(await sh('cat; echo $LC_ALL $GIT_TERMINAL_PROMPT')).toBe('C 0\n');
  });

  it('is run by itself, with no shell around it', async () => {
    const dir = scratch();
    await run('/bin/echo', ['$(touch ran)', ';', 'touch', 'ran'], dir);
    expect(existsSync(path.join(dir, 'ran'))).toBe(false);
  });

  it('ends with all that it started when it is given up', async () => {
    const dir = scratch();
    const over = new AbortController();
    const pids = path.join(dir, 'pids');
    const script = `sleep 60 & echo $! > ${pids}.new; mv ${pids}.new ${pids}; wait`;
    const answer = runner(over.signal)('/bin/sh', ['-c', script], dir);
    await expect.poll(() => existsSync(pids), { timeout: 20_000 }).toBe(true);
    over.abort();
    expect(await answer).toBeUndefined();
    const child = Number(readFileSync(pids, 'utf8'));
    await expect.poll(() => isAlive(child), { timeout: 20_000 }).toBe(false);
  });

  it('that is late has no answer, and whoever asks goes on', async () => {
    const { run: asked, isOver } = until(50, () => new Promise(() => undefined));
    expect(await asked('/bin/sleep', ['60'], '/')).toBeUndefined();
    expect(isOver()).toBe(true);
  });

  it('is there when a folder of the PATH has it', () => {
    expect(isThere('sh', { PATH: '/nonexistent:/bin' })).toBe(true);
    expect(isThere('no-such-program', { PATH: '/bin' })).toBe(false);
  });
});

/** One that was killed may not be buried yet. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !readFileSync(stat, 'utf8').includes(') Z ');
}
