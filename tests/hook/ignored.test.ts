import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../support.ts';
import { runHook, toolCall } from './run-hook.ts';

describe('a hook in a git repository without an init', () => {
  it.each([
    ['PreToolUse', toolCall('t1')],
    ['UserPromptSubmit', { session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'Go.' }],
  ])('keeps the folder that it makes out of git: %s', async (event, input) => {
    const dir = scratch();
    execFileSync('git', ['init', '-q', dir]);
    expect(await runHook(dir, event, input)).toMatchObject({ code: 0, stderr: '' });
    const folder = path.join(dir, '.ben10');
    expect(readFileSync(path.join(folder, '.gitignore'), 'utf8')).toBe('*\n');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const status = ['-C', dir, 'status', '--short', '--untracked-files=all'];
    expect(execFileSync('git', status, { encoding: 'utf8' })).toBe('');
  });
});
