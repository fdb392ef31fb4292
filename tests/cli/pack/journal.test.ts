import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestProject } from '../../support.ts';
import { ran, saw, tell } from '../../tell.ts';
import { emptyProject, inMemory, json } from '../support.ts';

/** A project whose agent wrote a file twice, and whose tests failed and then passed. */
function worked(): string {
  const dir = emptyProject();
  const project = openTestProject(dir);
  const file = path.join(dir, 'a.ts');
  const shell = (stdout: string) => ({ response: { stdout, stderr: '', interrupted: false } });
  const writes = (content: string) => ({ file_path: file, content });
  tell(
    project,
    saw('prompt.submitted', { text: 'Never push to main.' }, { fact: 'p1', at: 10 }),
    ...ran('t1', 'Write', writes('one\n'), { response: {} }, { at: 20 }),
    ...ran('t2', 'Bash', { command: 'npm test' }, shell('Tests: 1 failed, 1 passed'), { at: 30 }),
    saw('prompt.submitted', { text: 'go on' }, { fact: 'p2', at: 40 }),
    ...ran('t3', 'Write', writes('two\n'), { response: {} }, { at: 50 }),
    ...ran('t4', 'Bash', { command: 'touch ran && npm test' }, shell('Tests: 2 passed'), {
      at: 60,
    }),
  );
  project.close();
  writeFileSync(file, 'two\n');
  return dir;
}

interface Json {
  included: { label: string; events?: number[] }[];
  excluded: { label: string; reason: string }[];
  payload_text: string;
}

describe('a pack of what the journal knows', () => {
  it('has files of now, the last run that was recorded, and rules, with their events', async () => {
    const dir = worked();
    expect((await inMemory(dir, ['pack', 'create', 'work'])).code).toBe(0);
    const sources = ['journal:edited', 'journal:run=npm test', 'journal:rules'];
    expect((await inMemory(dir, ['pack', 'add', 'work', ...sources])).stderr).toBe('');
    const { included, payload_text: text } = json<Json>(
      await inMemory(dir, ['pack', 'render', 'work', '--json']),
    );
    expect(included.map(({ label, events }) => [label, events])).toEqual([
      ['a.ts', [8]],
      ['touch ran && npm test', [10]],
      ['rules', [1]],
    ]);
    expect(text).toContain('\ntwo\n');
    expect(text).toContain('\nTests: 2 passed\n');
    expect(text).toContain('\n- Never push to main.\n');
    expect(existsSync(path.join(dir, 'ran'))).toBe(false);
    const shown = (await inMemory(dir, ['pack', 'preview', 'work', '--tokens'])).stdout;
    expect(shown).toContain('touch ran && npm test @10');
  });

  it('is as it was at a point', async () => {
    const dir = worked();
    const sources = ['file:a.ts', 'journal:failed', 'file:b.ts'];
    const {
      included,
      excluded,
      payload_text: text,
    } = json<Json>(
      await inMemory(dir, ['pack', 'render', ...sources, '--at', '@prompt:2', '--json']),
    );
    expect(included.map(({ label }) => label)).toEqual(['a.ts', 'npm test']);
    expect(text).toContain('\none\n');
    expect(excluded).toMatchObject([{ label: 'b.ts', reason: 'unknown_then' }]);
    const now = json<Json>(await inMemory(dir, ['pack', 'render', ...sources, '--json']));
    expect(now.included.map(({ label }) => label)).toEqual(['a.ts']);
    expect(now.payload_text).toContain('\ntwo\n');
  });

  it('is not there before it was made', async () => {
    const dir = worked();
    await inMemory(dir, ['pack', 'create', 'work']);
    const { code, stderr } = await inMemory(dir, ['pack', 'preview', 'work', '--at', '@3']);
    expect(code).toBe(1);
    expect(stderr).toContain('PACK_NOT_FOUND');
  });
});
