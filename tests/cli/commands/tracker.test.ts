import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../handoff/random-repository.ts';
import { hooked } from '../../hook/run-hook.ts';
import { repository } from '../../packs/repository.ts';
import { KEY, Linear } from '../../tracker/linear-server.ts';
import { inMemory, json } from '../support.ts';

/** A repository on a branch of an issue, with a session that worked in it. */
async function worked(): Promise<string> {
  const dir = repository({ 'a.txt': 'a\n', '.gitignore': '.ben10/\n' });
  git(dir, ['checkout', '-q', '-b', 'eng-7/ENG-7-parser']);
  await hooked(dir, 'UserPromptSubmit', { prompt: 'split the parser', prompt_id: 'p1' });
  writeFileSync(path.join(dir, 'a.txt'), 'b\n');
  return dir;
}

const handOff = (dir: string, next: string) =>
  inMemory(dir, ['handoff', 'create', '--next', next, '--json']);

describe('ben10 tracker', { timeout: 60_000 }, () => {
  it('tells what was handed off, says what is to go, and needs to be switched on', async () => {
    const dir = await worked();
    const linear = await new Linear().listen();
    linear.issue('ENG-7');
    const env = { LINEAR_API_KEY: KEY, BEN10_LINEAR_URL: linear.url };
    const tracker = (...args: string[]) => inMemory(dir, ['tracker', ...args], { env });
    const { file, checkpoint } = json<{ file: string; checkpoint: string }>(
      await handOff(dir, 'Then the printer'),
    );
    for (const verb of ['status', 'sync', 'retry']) {
      const { code, stdout } = await tracker(verb);
      expect([code, stdout]).toEqual([1, expect.stringContaining('No tracker is configured')]);
    }
    expect(linear.asked).toEqual([]);

    await inMemory(dir, ['config', 'set', 'tracker.kind', 'linear']);
    const before = await tracker('--json');
    expect([before.code, json(before)]).toMatchObject([
      1,
      {
        kind: 'linear',
        key: true,
        open: [
          { issue: 'ENG-7', what: 'comment', checkpoint },
          { issue: 'ENG-7', what: 'issue', checkpoint },
        ],
        failed: [],
      },
    ]);
    linear.fault = () => 'broken';
    const failed = await tracker('sync');
    expect([failed.code, failed.stdout]).toEqual([
      1,
      expect.stringMatching(
        /^0 deliveries made, 2 to go\nENG-7: it has a problem of its own; again from /,
      ),
    ]);
    linear.fault = () => undefined;
    expect((await tracker('sync')).stdout).toContain(
      'What failed before waits: ben10 tracker retry',
    );
    expect((await tracker('retry')).stdout).toBe('2 deliveries made, 0 to go\n');
    expect(linear.comments).toHaveLength(1);
    for (const words of [file, checkpoint, 'Then the printer', '# Session Handoff: ENG-7'])
      expect(linear.comments[0]!.body).toContain(words);
    const after = await tracker();
    expect([after.code, after.stdout]).toEqual([
      0,
      expect.stringMatching(/^linear: it knows everything\n {2}ENG-7 {2}Todo {2}Title of ENG-7 /),
    ]);
    expect((await tracker('sync')).code).toBe(0);
  });

  it('asks how the issue in work stands before anything was recorded', async () => {
    const dir = repository({ 'a.txt': 'a\n', '.gitignore': '.ben10/\n' });
    git(dir, ['checkout', '-q', '-b', 'ENG-7']);
    mkdirSync(path.join(dir, '.ben10'));
    const linear = await new Linear().listen();
    linear.issue('ENG-7');
    const env = { LINEAR_API_KEY: KEY, BEN10_LINEAR_URL: linear.url };
    await inMemory(dir, ['config', 'set', 'tracker.kind', 'linear']);
    const { code, stdout } = await inMemory(dir, ['tracker', 'sync'], { env });
    expect([code, stdout]).toEqual([0, '0 deliveries made, 0 to go\n']);
    const { issues } = json<{ issues: object }>(
      await inMemory(dir, ['tracker', '--json'], { env }),
    );
    expect(issues).toMatchObject({ 'ENG-7': { title: 'Title of ENG-7', state: 'Todo' } });
    expect(linear.asked).toEqual(['Look']);
  });

  it('says that there is no key, and that a verb is none', async () => {
    const dir = await worked();
    await handOff(dir, 'x');
    await inMemory(dir, ['config', 'set', 'tracker.kind', 'linear']);
    const { code, stdout } = await inMemory(dir, ['tracker', 'sync']);
    expect([code, stdout]).toEqual([
      1,
      '0 deliveries made, 2 to go\nthe tracker: there is no key in LINEAR_API_KEY\n',
    ]);
    expect((await inMemory(dir, ['tracker', 'push'])).code).toBe(2);
  });
});
