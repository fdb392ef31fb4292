import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../support.ts';
import {
  ben10,
  cleanEnv,
  emptyProject,
  inMemory,
  json,
  PROGRAM,
  recordedProject,
} from '../support.ts';

const { version } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8'),
);

describe('ben10 version', () => {
  it("is the package's, by any name", () => {
    for (const args of [['version'], ['--version'], ['-v'], ['-V']]) {
      expect(ben10(scratch(), args).stdout).toBe(`${version}\n`);
    }
  });

  it('tells with --json what it runs on', () => {
    expect(json(ben10(scratch(), ['version', '--json']))).toEqual({
      version,
      node: process.versions.node,
      platform: process.platform,
      arch: process.arch,
    });
  });
});

describe('ben10 status', () => {
  it('says how much was recorded and what it costs', () => {
    const dir = recordedProject();
    const { status, stdout } = ben10(dir, ['status']);
    expect(status).toBe(0);
    expect(stdout).toContain(`${dir}  good`);
    expect(stdout).toContain('52 events, the newest is @52');
    expect(stdout).toMatch(/disk +[\d.]+ KB/);
    expect(stdout).toContain('nothing yet');
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect(json(ben10(dir, ['status', '--json']))).toMatchObject({
      exists: true,
      directory: dir,
      sessionCount: 1,
      health: 'good',
      journal: { events: 52, lastSeq: 52, inbox: 0 },
    });
  });

  it('is the same when the command line answers, as it does where more is asked for', {
    tags: 'long',
  }, () => {
    const dir = recordedProject();
    const { stdout } = ben10(dir, ['status', '--json']);
    expect(ben10(dir, ['status', '--json', '--json']).stdout).toBe(stdout);
    expect(ben10(dir, ['status', '--no-json']).stdout).toBe(ben10(dir, ['status']).stdout);
    const help = ben10(dir, ['status', '--help']);
    expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('ben10 status') });
    expect(ben10(dir, ['status', '--nonsense']).status).toBe(2);
    expect(ben10(dir, ['status', 'nonsense']).status).toBe(2);
  });

  it('without a journal is the error of the command line, once', () => {
    const { status, stdout, stderr } = ben10(scratch(), ['status']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.match(/CONTEXT_NOT_FOUND/g)).toHaveLength(1);
    const error = json(ben10(scratch(), ['status', '--json'])).error;
    expect(error).toMatchObject({ code: 'CONTEXT_NOT_FOUND' });
  });

  it('says what to do where nothing was recorded yet', async () => {
    const { code, stdout } = await inMemory(emptyProject(), ['status']);
    expect(code).toBe(0);
    expect(stdout).toContain('nothing was recorded here yet');
  });

  it('does not ask for an init right after it', () => {
    const dir = scratch();
    ben10(dir, ['init']);
    const { status, stdout } = ben10(dir, ['status']);
    expect(status).toBe(0);
    expect(stdout).toContain('nothing was recorded here yet');
    expect(stdout).not.toContain('ben10 init');
  });

  it.each(['status', 'log', 'verify', 'compact'])(
    '%s says that a file stands in the place of .ben10',
    (command) => {
      const dir = scratch();
      writeFileSync(path.join(dir, '.ben10'), 'x');
      const { status, stdout, stderr } = ben10(dir, [command]);
      expect(status).toBe(1);
      expect(stdout + stderr).toContain('.ben10 is not a folder');
      if (command !== 'status') expect(stderr).toContain('[JOURNAL_UNSAFE]');
    },
  );
});

describe('ben10 hook', () => {
  it('is run by the program without the command line, and always exits 0', () => {
    const dir = emptyProject();
    const result = spawnSync(process.execPath, [PROGRAM, 'hook', 'user-prompt-submit'], {
      input: JSON.stringify({ session_id: 's1', cwd: dir, prompt: 'hello' }),
      cwd: dir,
      env: cleanEnv(path.join(dir, 'no-home')),
      encoding: 'utf8',
    });
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(ben10(dir, ['log']).stdout).toContain('hello');
  });

  it('says so when it is called in another way', async () => {
    expect(await inMemory(scratch(), ['hook', 'stop'])).toMatchObject({ code: 1 });
  });

  it('records without a word about the event what stdin says that it is, and fails on none', () => {
    const dir = emptyProject();
    const hook = (input: string | undefined) =>
      spawnSync(process.execPath, [PROGRAM, 'hook'], {
        ...(input === undefined ? { stdio: ['ignore', 'pipe', 'pipe'] } : { input }),
        cwd: dir,
        env: cleanEnv(path.join(dir, 'no-home')),
        encoding: 'utf8',
      });
    const fields = { session_id: 's1', cwd: dir, hook_event_name: 'UserPromptSubmit' };
    expect(hook(JSON.stringify({ ...fields, prompt: 'hello' }))).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(ben10(dir, ['log']).stdout).toMatch(/prompt\.submitted +hello/);
    for (const input of ['', '{"session_id":"s1"}', 'nonsense'])
      expect(hook(input), input).toMatchObject({ status: 0, stdout: '' });
    // As on a terminal: a person has called it, and learns how it is used.
    expect(hook(undefined)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('name of the event'),
    });
  });

  it.each(['--help', '-h', '--json'])('with an option (%s) it records nothing', (option) => {
    const dir = scratch();
    const { status, stdout, stderr } = ben10(dir, ['hook', option]);
    // Never 2, which the client takes for an order to stop the agent.
    expect(status).toBe(option.endsWith('h') || option === '--help' ? 0 : 1);
    expect(stdout + stderr).toMatch(
      option.includes('h') ? /^ben10 hook \[EVENT\]/ : /name of the event/,
    );
    expect(readdirSync(dir)).toEqual([]);
    expect(ben10(dir, ['hook', '--nonsense']).status).toBe(1);
  });
});

describe('ben10 serve', () => {
  it('answers the protocol on stdout, nothing else, and ends when its client goes', () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      },
    };
    const dir = emptyProject();
    const result = spawnSync(process.execPath, [PROGRAM, 'serve', '--profile', 'core'], {
      input: `${JSON.stringify(initialize)}\n`,
      cwd: dir,
      env: cleanEnv(dir, { CLAUDE_PROJECT_DIR: dir }),
      encoding: 'utf8',
    });
    expect(result.status).toBe(0);
    expect(json(result)).toMatchObject({ id: 1, result: { serverInfo: { name: 'ben10' } } });
  });

  it('refuses a profile that there is not', () => {
    const { status, stderr } = ben10(emptyProject(), ['serve', '--profile', 'some']);
    expect(status).toBe(2);
    expect(stderr).toContain('core, packs, monitor, all');
  });
});
