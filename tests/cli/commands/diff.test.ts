import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHook } from '../../hook/run-hook.ts';
import { emptyProject, inMemory, json, recordedProject } from '../support.ts';

interface Diff {
  kind: string;
  counts?: Record<string, number>;
  messages?: { added: unknown[] };
}

describe('ben10 diff', () => {
  it('compares the disk with what the journal last saw of each file', async () => {
    const dir = recordedProject();
    const { stdout } = await inMemory(dir, ['diff']);
    expect(stdout).toMatch(/^\d+ files of session .* compared with what the journal last saw/);
    const found = json<Diff>(await inMemory(dir, ['diff', '--json']));
    expect(found.kind).toBe('files');
  });

  it('says what changed from a point until now, and between two', async () => {
    const dir = recordedProject();
    const since = await inMemory(dir, ['diff', '@prompt:2']);
    expect(since.stdout).toMatch(/^from @prompt:2 /);
    expect(since.stdout).toContain('\nMessages\n');
    const all = json<Diff>(await inMemory(dir, ['diff', '@0', '--json']));
    const part = json<Diff>(await inMemory(dir, ['diff', '@0', '@prompt:2', '--json']));
    expect(part.messages!.added.length).toBeLessThan(all.messages!.added.length);
    expect((await inMemory(dir, ['diff', '@20', '@20'])).stdout).toContain(
      'There is no difference.',
    );
  });

  it('takes A..B for two points, and days for their first and last moments', async () => {
    const dir = recordedProject();
    const diff = async (...args: string[]) =>
      json(await inMemory(dir, ['diff', '--json', ...args]));
    expect(await diff('@10..@prompt:2')).toEqual(await diff('@10', '@prompt:2'));
    expect(await diff('@10..')).toEqual(await diff('@10'));
    const day = await diff('2026-11-21..2026-11-21');
    expect(day).toMatchObject({
      from: { seq: 0 },
      to: { point: expect.stringMatching(/T23:59:59\.999/) },
    });
  });

  it('shows files line by line when asked to, which undone puts them back, and not points', async () => {
    const dir = emptyProject();
    const tool_input = { file_path: path.join(dir, 'a.txt'), content: 'one\n' };
    const call = { session_id: 's', tool_name: 'Write', tool_use_id: 't', tool_input };
    await runHook(dir, 'PreToolUse', call);
    await runHook(dir, 'PostToolUse', { ...call, tool_response: { type: 'create' } });
    writeFileSync(path.join(dir, 'a.txt'), 'two\n');
    const { stdout } = await inMemory(dir, ['diff', '--unified']);
    expect(stdout).toMatch(/\n--- a\/.*a\.txt\n.*\n@@ -1,1 \+1,1 @@\n-one\n\+two\n/);
    // As the help of restore advises.
    const undo = spawnSync('git', ['apply', '-R'], { cwd: dir, input: stdout, encoding: 'utf8' });
    expect(undo).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(path.join(dir, 'a.txt'), 'utf8')).toBe('one\n');
    const wrong = await inMemory(dir, ['diff', '@1', '-u']);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--unified compares files'),
    ]);
  });

  it('refuses a point that is none, and one that is not there', async () => {
    const dir = recordedProject();
    expect((await inMemory(dir, ['diff', 'yesteday'])).code).toBe(2);
    expect((await inMemory(dir, ['diff', '@save:nothing'])).code).toBe(1);
  });
});
