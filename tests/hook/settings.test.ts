/** @module-tag long */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHookConfig } from '../../src/platform/hook-config.ts';
import { scratch } from '../support.ts';
import { hooked } from './run-hook.ts';

const PATTERN = 'redaction:\n  patterns:\n    - id: internal\n      pattern: "int_[0-9a-f]{8}"\n';

const prompt = (id: string, text: string) => ({
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
  await hooked(dir, 'UserPromptSubmit', prompt(id, text));
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
  it('hold for the first prompt of all', async () => {
    const dir = await project(PATTERN);
    await submit(dir, 'p1', 'a key int_dead1111 here');
    const fresh = scratch();
    mkdirSync(join(fresh, '.ben10'), { mode: 0o700 });
    configure(fresh, PATTERN);
    await submit(fresh, 'p1', 'a key int_dead1111 here');
    for (const one of [dir, fresh]) expect(written(one)).not.toContain('int_dead1111');
  });

  it('do not hold while there is a mistake in them: those before do', async () => {
    const dir = await project(PATTERN);
    configure(dir, 'redaction:\n  patterns: "int_"\n');
    await submit(dir, 'p1', 'a key int_dead1111 here');
    expect(written(dir)).not.toContain('int_dead1111');
    expect(written(dir)).toContain('[REDACTED:INTERNAL');
  });
});

describe('rules of the user, where something in the settings is wrong and nothing was compiled', () => {
  const WRONG = {
    'an unknown section': `${PATTERN}unknownkey: 1\n`,
    'a value out of its range': `${PATTERN}journal:\n  segmentBytes: 5\n`,
    'a second rule that is no expression': `${PATTERN}    - id: other\n      pattern: "(["\n`,
    'a name that no rule may have': PATTERN.replace('internal', '"my own rule"'),
    'two rules of one name': `${PATTERN}    - id: internal\n      pattern: other\n`,
    'YAML that is broken behind them': `${PATTERN}context: [\n`,
    'YAML that is broken before them': `context: {\n  autoSave: tru\n${PATTERN}`,
  };
  const isReadable = (name: string) => !name.endsWith('before them');

  for (const [name, settings] of Object.entries(WRONG).filter(([name]) => isReadable(name)))
    it(`hold beside ${name}, in a prompt's hook and in a tool call's`, async () => {
      const dir = scratch();
      mkdirSync(join(dir, '.ben10'), { mode: 0o700 });
      configure(dir, settings);
      await submit(dir, 'p1', 'a key int_dead1111 here');
      rmSync(join(dir, '.ben10/hook-config.json'));
      await call(dir, 'echo int_dead2222');
      expect(written(dir)).not.toContain('int_dead');
      expect(written(dir).match(/\[REDACTED:/g)?.length).toBeGreaterThanOrEqual(2);
    });

  for (const [name, settings] of Object.entries(WRONG))
    it(`go on to hold beside ${name}, where they were compiled before`, async () => {
      const dir = await project(PATTERN);
      configure(dir, settings);
      await submit(dir, 'p1', 'a key int_dead1111 here');
      await submit(dir, 'p2', 'a key int_dead2222 here');
      expect(written(dir)).not.toContain('int_dead');
    });

  it('are given up when the mended file has them no more', async () => {
    const dir = await project(`${PATTERN}unknownkey: 1\n`);
    configure(dir, 'context:\n  autoSave: true\n');
    await submit(dir, 'p1', 'a key int_dead1111 here');
    expect(written(dir)).toContain('int_dead1111');
  });

  it('are told with what is wrong, for those who say it', async () => {
    const dir = await project(`${PATTERN}unknownkey: 1\n`);
    const { stale, problems } = readHookConfig(join(dir, '.ben10')) ?? {};
    expect(stale).toBe(false);
    expect(problems).toMatchObject([{ line: 5, message: expect.stringContaining('unknownkey') }]);
  });
});

describe('settings that are wrong in one place', () => {
  it('leave out the files that can be read of them, and what was recorded nowhere stays so', async () => {
    const dir = await project('context:\n  autoSave: false\n  excludePatterns: [hidden/**]\n');
    configure(dir, 'context:\n  autoSave: fals\n  excludePatterns: [hidden/**, "[x"]\n');
    await submit(dir, 'p1', 'not to be kept');
    expect(written(dir)).not.toContain('not to be kept');
    const config = readHookConfig(join(dir, '.ben10'))?.config;
    expect(config?.context.excludePatterns).toContain('hidden/**');
  });
});

describe('a session and an agent that are called by a secret', () => {
  const TOKEN = `ghp_${'aB3dE6gH9jK2'.repeat(3)}`;

  it('are recorded under what is left of it, the same each time', async () => {
    const dir = await project('context:\n  autoSave: true\n');
    const about = { session_id: TOKEN, agent_id: TOKEN };
    for (const id of ['p1', 'p2'])
      await hooked(dir, 'UserPromptSubmit', { ...prompt(id, `text of ${id}`), ...about });
    await call(dir, 'echo 1', about);
    const all = written(dir);
    expect(all).not.toContain(TOKEN);
    expect(all).toContain('text of p1');
    expect(all).toContain('text of p2');
    expect(all).toContain('[REDACTED:GITHUB-TOKEN]');
  });

  it('are found by the rules of the user, too', async () => {
    const dir = await project(PATTERN);
    await call(dir, 'echo 1', { session_id: 'int_dead1111', agent_id: 'int_dead2222' });
    expect(written(dir)).not.toContain('int_dead');
  });
});

async function call(dir: string, command: string, more: object = {}): Promise<void> {
  const input = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command } };
  await hooked(dir, 'PreToolUse', { ...input, ...more });
}
