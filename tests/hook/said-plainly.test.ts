import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { here } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { LiveSession } from './live-session.ts';

async function worked(): Promise<LiveSession> {
  const session = new LiveSession(scratch());
  await session.start();
  await session.prompt('Build the importer.');
  session.write('importer.js', 'export {};\n');
  await session.stop();
  return session;
}

describe('a save', () => {
  it('is restored by its bare name, and a point of that form comes first', {
    tags: 'long',
  }, async () => {
    const { dir } = await worked();
    await here(dir, ['save', 'first']);
    await here(dir, ['save', 'head']);
    expect((await here(dir, ['restore', 'first'])).stdout).toContain('at @save:first (event');
    expect((await here(dir, ['restore', 'head'])).stdout).toContain('at @head (event');
    expect(await here(dir, ['restore', 'second'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is not a point'),
    });
  });
});

describe('a clear', () => {
  it('is what a replay tells behind it, and what current.ctx has at once', async () => {
    const { dir } = await worked();
    const current = () => readFileSync(path.join(dir, '.ben10/current.ctx')).toString('latin1');
    const before = current();
    await here(dir, ['clear', '--yes']);
    expect(current()).not.toBe(before);
    const { stdout } = await here(dir, ['replay']);
    expect(stdout).toMatch(
      /The context was cleared\. To bring back what was before: ben10 restore @\d+/,
    );
  });
});
