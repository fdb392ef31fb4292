/** @module-tag long */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ben10, cleanEnv, json, PROGRAM } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { photograph } from '../hostile/support.ts';
import { scratch } from '../support.ts';

/** Runs the program where `.ben10` is mounted to be read only, for this one process and nobody else. */
function onReadOnly(dir: string, args: readonly string[], input = '') {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const root = path.join(dir, '.ben10');
  return spawnSync('unshare', ['-m', 'sh', '-c', mount, root, process.execPath, PROGRAM, ...args], {
    cwd: dir,
    env: cleanEnv(path.join(dir, 'no-home'), { CLAUDE_PROJECT_DIR: dir }),
    encoding: 'utf8',
    input,
  });
}

const canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount --bind /tmp /tmp']).status === 0;
if (!canMount)
  process.stderr.write('NOT TESTED, for nothing can be mounted here: a read-only disk\n');

describe.runIf(canMount)('a read-only disk', () => {
  it('costs the agent a line a hook, lets all be read, and is told of with what to do', async () => {
    const dir = scratch();
    for (const id of ['one', 'two']) await runHook(dir, 'PreToolUse', toolCall(id));
    const before = photograph(dir);
    for (const event of ['PreToolUse', 'UserPromptSubmit', 'Stop', 'SessionStart']) {
      const input = { ...toolCall('lost'), hook_event_name: event, prompt: 'go on' };
      const run = onReadOnly(dir, ['hook', event], JSON.stringify(input));
      expect(run, event).toMatchObject({ status: 0, stdout: '' });
      expect(run.stderr, event).toMatch(/^ben10: .* FS_PERMISSION_DENIED: .*\n$/);
    }
    for (const command of ['log', 'status', 'verify', 'replay'])
      expect(onReadOnly(dir, [command]), command).toMatchObject({ status: 0, stderr: '' });
    for (const command of ['save', 'compact', 'checkpoint']) {
      const { error } = json<{ error: Record<string, string> }>(
        onReadOnly(dir, [command, '--json']),
      );
      expect(error, command).toMatchObject({
        code: 'FS_PERMISSION_DENIED',
        message: expect.stringMatching(/EROFS: read-only file system, (open|mkdir)/),
        next: expect.stringContaining('mounted for writing'),
      });
    }
    expect(onReadOnly(dir, ['doctor', '--json']).stdout).toContain('a read-only disk');
    expect(photograph(dir)).toEqual(before);
    expect(await runHook(dir, 'PreToolUse', toolCall('three'))).toMatchObject({ stderr: '' });
    expect(json(ben10(dir, ['verify', '--json']))).toMatchObject({ ok: true, events: 3 });
  });
});
