import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { here } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { LiveSession } from './live-session.ts';

/** A session that writes files, and ends. */
async function wrote(dir: string, ...names: string[]): Promise<LiveSession> {
  const session = new LiveSession(dir);
  await session.start();
  await session.prompt(`Write ${names.join(' and ')}.`);
  for (const name of names) session.write(name, `${name} as the agent wrote it\n`);
  await session.stop();
  await session.end();
  return session;
}

interface Found {
  files: { path: string; status: string }[];
}

const diff = async (dir: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (JSON.parse((await here(dir, ['diff', '--json'])).stdout) as Found).files
      .filter((one) => one.path.endsWith('.txt'))
      .map((one) => [path.basename(one.path), one.status]),
  );

describe('files that an earlier session wrote', () => {
  it('are compared by diff, told at the start, and decided by merge as those of the last one are', {
    tags: 'long',
  }, async () => {
    const dir = scratch();
    await wrote(dir, 'a.txt', 'c.txt');
    await wrote(dir, 'b.txt');
    writeFileSync(path.join(dir, 'a.txt'), 'changed by somebody else\n');
    expect(await diff(dir)).toEqual({
      'a.txt': 'changed',
      'b.txt': 'unchanged',
      'c.txt': 'unchanged',
    });
    expect(JSON.stringify(await new LiveSession(dir).start())).toContain('a.txt changed');
    expect((await here(dir, ['merge', 'disk'])).stdout).toContain('a.txt');
    expect(await diff(dir)).toEqual({
      'a.txt': 'unchanged',
      'b.txt': 'unchanged',
      'c.txt': 'unchanged',
    });
    expect(JSON.stringify(await new LiveSession(dir).start())).not.toContain('a.txt changed');
  });

  it('count as the session left them that touched them last', async () => {
    const dir = scratch();
    await wrote(dir, 'a.txt');
    const last = new LiveSession(dir);
    await last.start();
    await last.prompt('Write it again.');
    last.write('a.txt', 'anew\n');
    await last.stop();
    expect(await diff(dir)).toEqual({ 'a.txt': 'unchanged' });
    expect(JSON.stringify(await new LiveSession(dir).start())).not.toContain('a.txt changed');
  });
});

describe('a file that is gone, and a merge that believed it', () => {
  it('is not told of as there any more', async () => {
    const dir = scratch();
    const { id } = await wrote(dir, 'a.txt', 'b.txt');
    rmSync(path.join(dir, 'b.txt'));
    expect((await here(dir, ['merge', 'disk'])).stdout).toContain('b.txt');
    const files = (await here(dir, ['restore', '--session', id, '--only', 'files'])).stdout;
    expect(files).toMatch(/a\.txt {2}created/);
    expect(files).toMatch(/b\.txt {2}deleted \(disk\)/);
    expect(files).not.toContain('b.txt as the agent');
    const told = JSON.stringify(await new LiveSession(dir).start());
    expect(told).toContain('a.txt created');
    expect(told).not.toContain('b.txt created');
  });
});
