/** @module-tag long */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, Place } from './run-loop.ts';

describe('what a loop is given', { timeout: 60_000 }, () => {
  const SECRET = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

  it('is refused where the journal would keep something else, which is what runs', () => {
    const place = new Place([{}]);
    for (const [args, why] of [
      [['--check', `test ${SECRET}`], 'secret'],
      [['--client-cmd', `TOKEN=${SECRET} true`], 'secret'],
      [['--client-cmd', `true ${'x'.repeat(1000)}; rm -f work.txt`], 'over 1000 characters'],
      [['--check', ' '], 'empty'],
    ] as const) {
      const refused = place.loop('run', 'task', ...args);
      expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining(why) });
      expect(refused.stderr).not.toContain(SECRET);
    }
    symlinkSync('work.txt', path.join(place.dir, 'link.md'));
    expect(place.loop('run', 'link.md').stderr).toContain('symbolic link');
    expect(place.events('loop.started')).toEqual([]);
  });

  it('is never the user’s file at the place where prompts are written', () => {
    const place = new Place([{}]);
    const file = '.claude/ralph/PROMPT.md';
    mkdirSync(path.join(place.dir, path.dirname(file)), { recursive: true });
    place.write({ [file]: 'Mine' });
    for (const task of [file, 'a text'])
      expect(place.loop('run', task)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('Move it'),
      });
    expect(readFileSync(path.join(place.dir, file), 'utf8')).toBe('Mine');
    rmSync(path.join(place.dir, file));
    for (const _ of [1, 2]) expect(place.run('a text', '--max', '1').status).toBe(1);
    expect(place.run(file, '--max', '1').status).toBe(2);
  });
});

describe('a client that a shell runs', { timeout: 60_000 }, () => {
  it('is asked to end, and may save what it has', async () => {
    const place = new Place([{}]);
    const started = path.join(place.dir, 'started');
    place.write({
      'client.mjs': `import { writeFileSync } from 'node:fs';
process.on('SIGINT', () => setTimeout(() => {
  writeFileSync('work.txt', 'saved');
  process.exit();
}, 300));
setInterval(() => {}, 1000);
writeFileSync('started', '');`,
    });
    const client = `cat >prompt.txt; "${process.execPath}" client.mjs; echo more >work.txt; true`;
    const loop = place.start('run', 'task', '--client-cmd', client);
    while (!existsSync(started)) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(place.loop('stop').status).toBe(0);
    expect(await ended(loop)).toBe(1);
    expect(readFileSync(path.join(place.dir, 'work.txt'), 'utf8')).toBe('saved');
    expect(place.status()).toMatchObject({ state: 'stopped', newest: { outcome: 'interrupted' } });
  });
});

describe('a loop whose output nobody reads any more', { timeout: 60_000 }, () => {
  it('ends as if it was stopped, and is not complete', async () => {
    const place = new Place([{ ms: 10 }, { ms: 60_000 }]);
    const loop = place.start('run', 'task');
    loop.stdout!.destroy();
    loop.stderr!.destroy();
    expect(await ended(loop)).toBe(1);
    expect(place.status()).toMatchObject({ state: 'stopped' });
    expect(place.log.filter(({ what }) => what === 'stop').length).toBe(
      place.log.filter(({ what }) => what === 'start').length,
    );
  });
});
