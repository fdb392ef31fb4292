import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHook } from '../../hook/run-hook.ts';
import { emptyProject, here, json } from '../support.ts';

/** A project in which the agent wrote these files. */
async function written(...names: string[]): Promise<string> {
  const dir = emptyProject();
  for (const name of names) {
    const tool_input = { file_path: path.join(dir, name), content: 'one\n' };
    const call = { session_id: 's', tool_name: 'Write', tool_use_id: name, tool_input };
    await runHook(dir, 'PreToolUse', call);
    await runHook(dir, 'PostToolUse', { ...call, tool_response: { type: 'create' } });
    writeFileSync(path.join(dir, name), 'one\n');
  }
  return dir;
}

describe('ben10 merge', () => {
  it('decides of the files that differ, notes it, and then there is nothing left to decide', {
    tags: 'long',
  }, async () => {
    const dir = await written('a.txt', 'b.txt');
    writeFileSync(path.join(dir, 'a.txt'), 'two\n');
    writeFileSync(path.join(dir, 'b.txt'), 'two\n');
    const first = await here(dir, ['merge', 'journal', 'b.txt']);
    expect([first.status, first.stdout]).toEqual([0, 'journal  b.txt\n']);
    expect(first.stderr).toContain('1 file decided.');
    expect(await here(dir, ['diff'])).toMatchObject({
      stdout: expect.stringMatching(
        /changed .*b\.txt .*the journal's version counts, as decided at @\d+/,
      ),
    });
    const all = json(await here(dir, ['merge', 'disk', '--json']));
    expect(all).toMatchObject({ strategy: 'disk', files: [{ believed: 'disk' }, {}] });
    expect((await here(dir, ['diff'])).stdout).toMatch(/: 2 unchanged\n/);
    const again = await here(dir, ['merge', 'newest']);
    expect([again.status, again.stdout, again.stderr]).toEqual([0, '', 'No file differs.\n']);
    expect((await here(dir, ['log', '--type', 'context.merged'])).stdout).toMatch(
      /2 files, disk counts/,
    );
  });

  it('refuses another strategy, and a path without a difference', async () => {
    const dir = await written('a.txt');
    expect(await here(dir, ['merge', 'ours'])).toMatchObject({ status: 2 });
    const { status, stderr } = await here(dir, ['merge', 'disk', 'a.txt']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('has no difference to decide')]);
  });
});
