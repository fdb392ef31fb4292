import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../support.ts';
import { runHook } from './run-hook.ts';

const PATTERN = 'redaction:\n  patterns:\n    - id: internal\n      pattern: "int_[0-9a-f]{8}"\n';

const prompt = (id: string, text: string) => ({
  session_id: 's',
  hook_event_name: 'UserPromptSubmit',
  prompt_id: id,
  prompt: text,
});

/** A project with settings, which a first prompt has compiled. */
async function project(settings: string): Promise<string> {
  const dir = scratch();
  mkdirSync(join(dir, '.ben10'));
  chmodSync(join(dir, '.ben10'), 0o700);
  configure(dir, settings);
  await submit(dir, 'p0', 'the first');
  return dir;
}

const configure = (dir: string, settings: string) =>
  writeFileSync(join(dir, '.ben10/config.yaml'), settings, { mode: 0o600 });

async function submit(dir: string, id: string, text: string): Promise<void> {
  const run = await runHook(dir, 'UserPromptSubmit', prompt(id, text));
  expect(run).toMatchObject({ code: 0, stderr: '' });
}

/** All that was written but for the settings themselves. */
function written(dir: string): string {
  const root = join(dir, '.ben10');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/config\.(yaml|json)$/.test(name) && statSync(join(root, name)).isFile())
    .map((name) => readFileSync(join(root, name), 'latin1'))
    .join();
}

describe('settings that were changed', () => {
  it('hold for the very next prompt', async () => {
    const dir = await project('context:\n  autoSave: true\n');
    await submit(dir, 'p1', 'plain int_beef0000 text');
    expect(written(dir)).toContain('int_beef0000');
    configure(dir, PATTERN);
    await submit(dir, 'p2', 'a key int_dead1111 here');
    expect(written(dir)).not.toContain('int_dead1111');
    expect(written(dir)).toContain('[REDACTED:INTERNAL');
  });

  it('hold for the first prompt of all', async () => {
    const dir = await project(PATTERN);
    await submit(dir, 'p1', 'a key int_dead1111 here');
    const fresh = scratch();
    mkdirSync(join(fresh, '.ben10'), { mode: 0o700 });
    configure(fresh, PATTERN);
    await submit(fresh, 'p1', 'a key int_dead1111 here');
    for (const one of [dir, fresh]) expect(written(one)).not.toContain('int_dead1111');
  });

  it('stop the recording at once, and begin it at once', async () => {
    const dir = await project(PATTERN);
    configure(dir, 'context:\n  autoSave: false\n');
    await submit(dir, 'p1', 'not to be kept');
    expect(written(dir)).not.toContain('not to be kept');
    configure(dir, PATTERN);
    await submit(dir, 'p2', 'to be kept');
    expect(written(dir)).toContain('to be kept');
  });

  it('do not hold while there is a mistake in them: those before do', async () => {
    const dir = await project(PATTERN);
    configure(dir, 'redaction:\n  patterns: "int_"\n');
    await submit(dir, 'p1', 'a key int_dead1111 here');
    expect(written(dir)).not.toContain('int_dead1111');
    expect(written(dir)).toContain('[REDACTED:INTERNAL');
  });
});
