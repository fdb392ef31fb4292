import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { queryLog } from '../../src/log/query.ts';
import { viewFile } from '../../src/monitor/view.ts';
import { openTestProject, scratch } from '../support.ts';
import { cleanEnv, emptyProject, PROGRAM } from './support.ts';

const SESSION = '11111111-1111-4111-8111-111111111111';

const line = (
  input: string | Buffer | undefined,
  {
    cwd = scratch(),
    args = [],
    env = {},
  }: { cwd?: string; args?: string[]; env?: Record<string, string> } = {},
) =>
  spawnSync(process.execPath, [PROGRAM, 'statusline', ...args], {
    cwd,
    input,
    env: cleanEnv(path.join(cwd, 'no-home'), { COLUMNS: '200', NO_COLOR: '1', ...env }),
    encoding: 'utf8',
    maxBuffer: 1e8,
  });

const payload = (dir: string, percent: unknown, more: object = {}) =>
  JSON.stringify({
    session_id: SESSION,
    cwd: dir,
    workspace: { current_dir: dir, project_dir: dir },
    model: { id: 'claude-opus-4-8', display_name: 'Opus 4.8' },
    context_window: { used_percentage: percent, context_window_size: 200_000 },
    ...more,
  });

const samplesIn = (dir: string) =>
  [...queryLog(openTestProject(dir), { types: ['context.sampled'] })].map(({ data }) => data);

describe('ben10 statusline', () => {
  it('prints the line, and records what is news', () => {
    const dir = emptyProject();
    for (const percent of [31, 31, 32, 31]) {
      const { status, stdout, stderr } = line(payload(dir, percent), { cwd: dir });
      expect([status, stdout, stderr]).toEqual([0, `[CTX: ###------- ${percent}%] Opus 4.8\n`, '']);
    }
    const known = {
      window: 200_000,
      windowFrom: 'client',
      via: 'statusline',
      model: 'claude-opus-4-8',
    };
    expect(samplesIn(dir)).toEqual([31, 32, 31].map((percent) => ({ ...known, percent })));
  });

  it('shows what is known of the session, without reading the journal', () => {
    const dir = emptyProject();
    mkdirSync(path.join(dir, '.ben10/monitor'));
    const view = {
      version: 1,
      session: SESSION,
      ...{ l1: 20, l2: 30, l3: 40, issue: 'ANV-7', phase: 'TEST', window: 200_000 },
      checkpoint: { state: 'due', at: null, handoff: null },
    };
    writeFileSync(viewFile(`${dir}/.ben10`, SESSION), JSON.stringify(view));
    writeFileSync(path.join(dir, '.ben10/journal'), 'no journal');
    const { status, stdout } = line(payload(dir, 33), { cwd: dir });
    expect([status, stdout]).toEqual([
      0,
      '[CTX: ###------- 33% !! L2] [ISSUE: ANV-7] [PHASE: TEST] [CKPT: Due]\n',
    ]);
    const { text, ...json } = JSON.parse(
      line(payload(dir, 33), { cwd: dir, args: ['--json'] }).stdout,
    );
    expect(json).toEqual({
      ...{ percent: 33, level: 'L2', source: 'statusline', window: 200_000, tokens: null },
      ...{ compactAt: null, forecast: null, issue: 'ANV-7', phase: 'TEST' },
      checkpoint: view.checkpoint,
    });
    expect(text).toContain('[ISSUE: ANV-7]');
  });

  it.each([
    '{"version":1}',
    '{',
    '[]',
    `{"version":1,"session":"${SESSION}","checkpoint":7,"phase":{}}`,
  ])('does without what is known of the session where that is damaged: %s', (view) => {
    const dir = emptyProject();
    mkdirSync(path.join(dir, '.ben10/monitor'));
    writeFileSync(viewFile(`${dir}/.ben10`, SESSION), view);
    const { status, stdout } = line(payload(dir, 33), { cwd: dir });
    expect([status, stdout]).toEqual([0, '[CTX: ###------- 33%] Opus 4.8\n']);
  });

  it('reads the transcript where the client is silent', () => {
    const dir = emptyProject();
    const transcript_path = path.join(dir, 'session.jsonl');
    const boundary = {
      ...{ type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null },
      compactMetadata: { postTokens: 36_000 },
    };
    writeFileSync(transcript_path, `${JSON.stringify(boundary)}\n`);
    const { stdout } = line(payload(dir, null, { transcript_path }), { cwd: dir });
    expect(stdout).toBe('[CTX: ##-------- ~18%] Opus 4.8\n');
    expect(samplesIn(dir)).toEqual([]);
  });

  it('writes nothing outside of a project, with recording switched off, or without a session', () => {
    const outside = scratch();
    expect(line(payload(outside, 31), { cwd: outside }).stdout).toContain('31%');
    expect(readdirSync(outside)).toEqual([]);
    const dir = emptyProject();
    const off = { BEN10_CONTEXT_AUTO_SAVE: 'false' };
    expect(line(payload(dir, 31), { cwd: dir, env: off }).stdout).toContain('31%');
    expect(line(payload(dir, 31, { session_id: null }), { cwd: dir }).stdout).toContain('31%');
    expect(existsSync(path.join(dir, '.ben10/journal'))).toBe(false);
  });

  const deep = `${'{"context_window":'.repeat(20_000)}1`;
  it.each([
    ['nothing', ''],
    ['a cut object', '{"session_id":"x","context_win'],
    ['null', 'null'],
    ['a list', '[1,2]'],
    ['no JSON', '\0\xff\xfe garbage'],
    ['deep nesting', deep],
    ['16 MiB and more', `{"a":"${'x'.repeat(17 * 1024 * 1024)}"}`],
    ['NaN', '{"context_window":{"used_percentage":NaN}}'],
    ['a negative number', '{"context_window":{"used_percentage":-5}}'],
    ['a thousand million percent', '{"context_window":{"used_percentage":1e9}}'],
    ['strange types', '{"session_id":7,"cwd":[],"workspace":3,"context_window":"x","model":[]}'],
    [
      'a folder that is not there',
      '{"cwd":"/no/such/folder","workspace":{"project_dir":"a\\u0000b"}}',
    ],
    ['a pipe as transcript', '{"transcript_path":"/dev/stdin"}'],
  ])('prints a sane line and exits with 0 for %s', (_, input) => {
    const { status, stdout, stderr } = line(input);
    expect([status, stdout, stderr]).toEqual([0, '[CTX: ---------- --%]\n', '']);
  });

  it('prints nothing of a name that a terminal would obey', () => {
    const display_name = 'a\x1b[2J\x1b]0;t\x07\u202eb\nc';
    const { stdout } = line(payload('/', 31, { model: { display_name } }), {
      env: { NO_COLOR: '' },
    });
    expect(stdout).toBe('\x1b[32m[CTX: ███░░░░░░░ 31%]\x1b[0m ab c\n');
  });

  it('prints where nothing can be written, and where its folder is gone', () => {
    const dir = emptyProject();
    writeFileSync(path.join(dir, '.ben10/journal'), '');
    chmodSync(path.join(dir, '.ben10'), 0o500);
    expect(line(payload(dir, 31), { cwd: dir }).stdout).toContain('31%');
    chmodSync(path.join(dir, '.ben10'), 0o700);
    const gone = scratch();
    const script = `cd "$1" && rmdir "$1" && echo '{"context_window":{"used_percentage":5}}' | "$2" "$3" statusline`;
    const args = ['-c', script, 'sh', path.join(gone, 'x'), process.execPath, PROGRAM];
    mkdirSync(path.join(gone, 'x'));
    const found = spawnSync('/bin/sh', args, { encoding: 'utf8', env: cleanEnv(gone) });
    expect([found.status, found.stdout]).toEqual([0, expect.stringContaining(' 5%]')]);
    rmSync(gone, { recursive: true });
  });

  it('shows another status line on a row of its own, and does not wait for it', () => {
    const run = (command: string) =>
      line('{"model":{"display_name":"Opus"}}', { args: ['--with', command] });
    expect(run('sed s/display_name/name/; echo oh >&2').stdout).toBe(
      '[CTX: ---------- --%] Opus\n{"model":{"name":"Opus"}}\n',
    );
    expect(run('sleep 20').stdout).toBe('[CTX: ---------- --%] Opus\n');
    expect(run('exit 3').stdout).toBe('[CTX: ---------- --%] Opus\n');
  });

  it('takes no option that makes no sense for a reason to fail', () => {
    const args = ['--width', 'wide', '--style', 'x', '--segments', 'y,,', '--no-such', '--with'];
    expect(line('{}', { args })).toMatchObject({ status: 0, stdout: '[CTX: ---------- --%]\n' });
  });
});
