import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ben10 } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { runHook, toolCall } from './run-hook.ts';

const START = { hook_event_name: 'SessionStart', session_id: 's', source: 'startup' };

test('a hook makes no project of the home folder, and a start says so', async () => {
  const home = scratch();
  const tool = await runHook(home, 'pre-tool-use', toolCall('t'), { HOME: home });
  expect(tool).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const start = await runHook(home, 'session-start', START, { HOME: home });
  expect(start).toMatchObject({ code: 0, stdout: '' });
  expect(start.stderr).toMatch(/^ben10: nothing is recorded: the home folder .*\n$/);
  expect(existsSync(path.join(home, '.ben10'))).toBe(false);
});

test('it records there where somebody set it up', async () => {
  const home = scratch();
  mkdirSync(path.join(home, '.ben10'), { mode: 0o700 });
  writeFileSync(path.join(home, '.ben10/config.yaml'), '');
  await runHook(home, 'pre-tool-use', toolCall('t'), { HOME: home });
  expect(existsSync(path.join(home, '.ben10/journal'))).toBe(true);
});

test('where the client does not say the project, it is the one that the folder belongs to', async () => {
  const dir = scratch();
  const inner = path.join(dir, 'packages/one');
  mkdirSync(inner, { recursive: true });
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  await runHook('', 'pre-tool-use', { ...toolCall('t'), cwd: inner });
  expect(existsSync(path.join(dir, '.ben10/journal'))).toBe(true);
  expect(existsSync(path.join(inner, '.ben10'))).toBe(false);
});

test('the hooks of init --local alone record where they are, as long as that copy exists', async () => {
  const dir = scratch();
  const copy = path.join(dir, 'ben10.cjs');
  writeFileSync(copy, '');
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  writeFileSync(path.join(dir, '.ben10/local'), `${copy}\n`);
  const journal = path.join(dir, '.ben10/journal');
  const start = { ...START, cwd: dir };
  expect(await runHook(dir, 'session-start', start)).toMatchObject({ code: 0, stdout: '' });
  await runHook(dir, 'pre-tool-use', toolCall('t'));
  expect(existsSync(journal)).toBe(false);
  await runHook(dir, 'pre-tool-use', toolCall('t'), {}, undefined, ['--local']);
  expect(existsSync(journal)).toBe(true);
  rmSync(copy);
  await runHook(dir, 'session-start', start);
  expect(ben10(dir, ['log']).stdout).toContain('session');
});

test.skipIf(process.platform === 'win32')('the home folder is none by a link either', async () => {
  const home = scratch();
  const link = path.join(scratch(), 'link');
  symlinkSync(home, link);
  for (const [dir, HOME] of [
    [link, home],
    [home, `${link}/`],
  ] as const)
    await runHook(dir, 'pre-tool-use', toolCall('t'), { HOME });
  expect(existsSync(path.join(home, '.ben10'))).toBe(false);
});
