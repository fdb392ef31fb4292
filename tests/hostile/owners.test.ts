/** @module-tag long */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFolder } from '../../src/doctor/folder.ts';
import { ben10, cleanEnv, json, PROGRAM } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { call, connect, textOf } from '../mcp/support.ts';
import { openTestProject, scratch } from '../support.ts';
import { as, giveTo, NOBODY, photograph, SOMEBODY } from './support.ts';

/** Only root can give a folder away; whoever runs this as somebody else has to be told what was not tested. */
function isRoot(what: string): boolean {
  if (process.getuid?.() === 0) return true;
  process.stderr.write(`NOT TESTED, for only root can set it up: ${what}\n`);
  return false;
}

/** A project with one event, whose folder everybody can reach. */
async function project(): Promise<string> {
  const dir = scratch();
  chmodSync(dir, 0o755);
  expect(await runHook(dir, 'PreToolUse', toolCall('t1'))).toMatchObject({ code: 0, stderr: '' });
  return dir;
}

const hooks = (uid: number | undefined, dir: string) =>
  [
    toolCall('t2'),
    { session_id: 's', hook_event_name: 'SessionStart', source: 'compact', cwd: dir },
  ].map((input) => {
    const name = String((input as Record<string, unknown>).hook_event_name);
    return as(uid, dir, ['hook', name], JSON.stringify(input));
  });

/** Nothing is recorded, given back, or changed; hooks say so in a line, commands with a way out. */
function expectRefusal(dir: string, uid: number | undefined): void {
  const before = photograph(dir);
  for (const hook of hooks(uid, dir)) {
    expect(hook).toMatchObject({ status: 0, stdout: '' });
    expect(hook.stderr).toMatch(/^ben10: this event was not recorded: JOURNAL_UNSAFE: .*\n$/);
  }
  for (const command of ['log', 'compact', 'replay', 'repair']) {
    const answer = as(uid, dir, [command, '--json']);
    expect({ status: answer.status, ...json(answer) }, command).toMatchObject({
      status: 1,
      error: { code: 'JOURNAL_UNSAFE', place: { file: path.join(dir, '.ben10') } },
    });
    expect(json<{ error: { next: string } }>(answer).error.next).toMatch(/chown|chmod/);
  }
  expect(photograph(dir)).toEqual(before);
}

describe('a .ben10 that belongs to another user', () => {
  it('is refused, also by root', async () => {
    if (!isRoot('a .ben10 of another user')) return;
    const dir = await project();
    giveTo(path.join(dir, '.ben10'), SOMEBODY);
    expectRefusal(dir, undefined);
    const server = await connect(dir);
    const answer = await call(server, 'ben10_log', {});
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('JOURNAL_UNSAFE');
    const found = json<{ findings: object[] }>(ben10(dir, ['doctor', '--json'])).findings;
    expect(found).toContainEqual(
      expect.objectContaining({ check: 'owner', verdict: 'fail', mend: expect.any(String) }),
    );
  });

  it('is refused however widely it was opened', async () => {
    if (!isRoot('a .ben10 of another user that is open to all')) return;
    const dir = await project();
    const root = path.join(dir, '.ben10');
    giveTo(root, SOMEBODY);
    for (const name of ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })])
      chmodSync(path.join(root, name), 0o777);
    expectRefusal(dir, NOBODY);
  });

  it('is its owner’s, in a folder of somebody else', async () => {
    if (!isRoot('a .ben10 in a folder of another user')) return;
    const dir = await project();
    giveTo(path.join(dir, '.ben10'), NOBODY);
    for (const hook of hooks(NOBODY, dir)) expect(hook).toMatchObject({ status: 0, stderr: '' });
    expect(statSync(path.join(dir, '.ben10/journal/manifest')).uid).toBe(NOBODY);
    expect(as(NOBODY, dir, ['verify', '--json'])).toMatchObject({ status: 0 });
  });

  it('takes in what waited for locks that root had made, once they are its owner’s again', async () => {
    if (!isRoot('locks of root’s in a .ben10 of another user')) return;
    const dir = await project();
    const root = path.join(dir, '.ben10');
    giveTo(root, NOBODY);
    for (const hook of hooks(NOBODY, dir)) expect(hook.stderr).toBe('');
    const events = () => json<{ events: number }>(as(NOBODY, dir, ['verify', '--json'])).events;
    const before = events();
    const { journal } = openTestProject(dir).layout;
    const locks = readdirSync(journal).filter((name) => name.endsWith('lock'));
    for (const name of locks) chownSync(path.join(journal, name), 0, 0);
    const call = as(NOBODY, dir, ['hook', 'PreToolUse'], JSON.stringify(toolCall('waits')));
    expect(call).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(as(NOBODY, dir, ['log']).stdout).toMatch(/^inbox .* tool\.called /m);
    expect(as(NOBODY, dir, ['doctor', '--json']).stdout).toMatch(
      /lock cannot be read and written".*chown/,
    );
    expect(events()).toBe(before);
    giveTo(root, NOBODY);
    expect(as(NOBODY, dir, ['save', 'x']).status).toBe(0);
    expect(as(NOBODY, dir, ['log', '--json']).stdout).toContain('"waits"');
    expect(events()).toBe(before + 2);
  });
});

describe('what root made in a .ben10 of another user', () => {
  it.each(['manifest', 'segments', 'inbox', 'settings'])(
    'is told of by the doctor, who looks at all else: %s',
    async (what) => {
      if (!isRoot(`${what} of root's`)) return;
      const dir = await project();
      const { layout, reader } = openTestProject(dir);
      const segments = path.join(layout.journal, reader.origin()!);
      const settings = path.join(dir, '.ben10/config.yaml');
      writeFileSync(settings, 'recall:\n  steering: true\n', { mode: 0o600 });
      giveTo(path.join(dir, '.ben10'), NOBODY);
      const { manifest, inbox } = layout;
      const place = { manifest, inbox, settings }[what] ?? segments;
      chownSync(place, 0, 0);
      const { findings } = json<{ findings: { check: string; mend?: string }[] }>(
        as(NOBODY, dir, ['doctor', '--json']),
      );
      const mends = findings.map(({ mend }) => mend);
      expect(mends).toContainEqual(expect.stringContaining('sudo chown'));
      expect(mends.join()).not.toContain('check your permissions');
      const checks = findings.map(({ check }) => check);
      expect(checks).toEqual(expect.arrayContaining(['node', 'disk', 'hooks', 'hook']));
    },
  );
});

describe('a user without a name and a home, as in a container', () => {
  it('is recorded, and can read it', async () => {
    if (!isRoot('a user without a name')) return;
    const dir = await project();
    giveTo(dir, SOMEBODY);
    const { HOME: _, ...env } = cleanEnv('', { CLAUDE_PROJECT_DIR: dir });
    const run = (args: string[], input = '') =>
      spawnSync(process.execPath, [PROGRAM, ...args], {
        cwd: dir,
        env,
        encoding: 'utf8',
        input,
        uid: SOMEBODY,
        gid: SOMEBODY,
      });
    for (const event of ['SessionStart', 'UserPromptSubmit', 'Stop']) {
      const input = { session_id: 's', hook_event_name: event, source: 'startup', prompt: 'go on' };
      const hook = run(['hook', event], JSON.stringify(input));
      expect({ status: hook.status, stderr: hook.stderr }, event).toEqual({
        status: 0,
        stderr: '',
      });
    }
    expect(run(['log']).stdout).toContain('go on');
    for (const args of [['status'], ['config', 'list'], ['doctor'], ['init', '--dry-run']])
      expect(run(args).stderr, args[0]).toBe('');
  });
});

describe('a folder that every user can write to', () => {
  it.skipIf(process.platform === 'win32').each(['.', 'journal', 'journal/inbox'])(
    'is refused: %s',
    async (name) => {
      const dir = await project();
      const folder = path.resolve(dir, '.ben10', name);
      chmodSync(folder, 0o777);
      const before = photograph(dir);
      for (const hook of hooks(undefined, dir)) {
        expect(hook).toMatchObject({ status: 0, stdout: '' });
        expect(hook.stderr).toContain('JOURNAL_UNSAFE');
      }
      expect(json(ben10(dir, ['log', '--json']))).toMatchObject({
        error: { code: 'JOURNAL_UNSAFE', place: { file: folder } },
      });
      expect(photograph(dir)).toEqual(before);
      chmodSync(folder, 0o700);
      for (const hook of hooks(undefined, dir)) expect(hook.stderr).toBe('');
    },
  );

  it.skipIf(process.platform === 'win32')('is told of where it is the project’s own', async () => {
    const dir = await project();
    chmodSync(dir, 0o777);
    for (const hook of hooks(undefined, dir)) expect(hook.stderr).toBe('');
    const owner = () =>
      checkFolder(path.join(dir, '.ben10')).filter(({ check }) => check === 'owner');
    expect(owner()).toMatchObject([{ verdict: 'warn', mend: `Run: chmod o-w ${dir}` }]);
    chmodSync(dir, 0o1777); // as /tmp is
    expect(owner()).toEqual([]);
  });
});

describe('the rights of what ben10 makes', () => {
  it.skipIf(process.platform === 'win32').each(['000', '022', '777'])(
    'do not depend on a umask of %s',
    (umask) => {
      const dir = scratch();
      mkdirSync(path.join(dir, 'project'));
      const under = (args: string[], input = '') =>
        spawnSync(
          'sh',
          ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, PROGRAM, ...args],
          {
            cwd: path.join(dir, 'project'),
            env: cleanEnv('/nowhere', { CLAUDE_PROJECT_DIR: path.join(dir, 'project') }),
            encoding: 'utf8',
            input,
          },
        );
      const large = toolCall('t1', 'x '.repeat(50_000));
      expect(under(['hook', 'PreToolUse'], JSON.stringify(large)).stderr).toBe('');
      const start = { session_id: 's', hook_event_name: 'SessionStart', source: 'compact' };
      expect(under(['hook', 'SessionStart'], JSON.stringify(start)).stderr).toBe('');
      expect(under(['compact', '--json']).status).toBe(0);
      const { root } = openTestProject(path.join(dir, 'project'));
      for (const name of ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })]) {
        const stat = statSync(path.join(root, name));
        expect((stat.mode & 0o777).toString(8), name).toBe(stat.isDirectory() ? '700' : '600');
      }
    },
  );
});
