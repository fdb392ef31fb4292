import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runner } from '../../src/platform/programs/run.ts';
import { COLLECTOR_MS, type Collector, within } from '../../src/workspace/collectors/collector.ts';
import { COLLECTORS, collectAll } from '../../src/workspace/collectors/index.ts';
import { scratch } from '../support.ts';
import { around, repository } from './support.ts';

const HANG_SECONDS = 30;

/** Programs of these names that hang, each with a child of its own, and write down who they are. */
function hanging(dir: string, names: readonly string[]): string {
  const bin = path.join(dir, 'bin');
  mkdirSync(bin);
  for (const name of names) {
    const script = `#!/bin/sh\n/bin/sleep ${HANG_SECONDS} &\necho $! >> ${dir}/children\nwait\n`;
    writeFileSync(path.join(bin, name), script);
    chmodSync(path.join(bin, name), 0o755);
  }
  return bin;
}

const isAlive = (pid: number): boolean => {
  try {
    // One that was killed may not be buried yet.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

describe('all collectors together', () => {
  it('come to an end where every program hangs, and leave no process behind', {
    tags: 'long',
  }, async () => {
    const dir = repository(path.join(scratch(), 'p'), { 'package.json': '{"scripts":{"a":"b"}}' });
    const bin = hanging(path.dirname(dir), [
      'git',
      'docker',
      'podman',
      'adb',
      'fastboot',
      'node',
      'lsof',
    ]);
    const env = { PATH: bin };
    const started = performance.now();
    const found = await collectAll((signal) => around(dir, { env, run: runner(signal, env) }));
    // Long before what hangs would end by itself, also on a machine that is busy with something else.
    expect(performance.now() - started).toBeLessThan((HANG_SECONDS * 1000) / 2);
    expect(found).toMatchObject({
      repositories: undefined,
      containers: undefined,
      scripts: [{ command: 'npm run a', about: 'b' }],
    });
    const children = readFileSync(path.join(path.dirname(dir), 'children'), 'utf8')
      .trim()
      .split('\n')
      .map(Number);
    expect(children.length).toBeGreaterThan(4);
    await expect.poll(() => children.filter(isAlive), { timeout: 20_000 }).toEqual([]);
  });

  it('work at the same time: the slow ones wait for nobody', () => {
    const longest = Math.max(...Object.values(COLLECTORS).map(({ timeoutMs }) => timeoutMs));
    expect(longest).toBeLessThan(1500);
    expect(COLLECTOR_MS).toBeLessThanOrEqual(longest);
  });

  it('are empty sections, and no error, where no program is installed', async () => {
    const dir = repository(path.join(scratch(), 'p'), {
      'package.json': '{}',
      'Cargo.toml': '',
      'go.mod': '',
    });
    const env = { PATH: '/nonexistent' };
    const found = await collectAll((signal) => around(dir, { env, run: runner(signal, env) }));
    for (const [name, list] of Object.entries(found))
      if (!['servers', 'scripts'].includes(name)) expect(list ?? [], name).toEqual([]);
  });
});

describe('a collector', () => {
  const run = (collector: Partial<Collector<string>>) => {
    const whole = { timeoutMs: 100, collect: () => ['x'], ...collector };
    return within(whole, () => around('/'));
  };

  it('that throws, at once or later, or takes too long, is not known', async () => {
    expect(await run({})).toEqual(['x']);
    expect(
      await run({
        collect: () => {
          throw new Error('broken');
        },
      }),
    ).toBeUndefined();
    expect(await run({ collect: () => Promise.reject(new Error('broken')) })).toBeUndefined();
    expect(await run({ collect: () => new Promise(() => undefined) })).toBeUndefined();
  });
});
