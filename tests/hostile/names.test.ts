/** @module-tag long */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { here, json } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { anEvent } from '../log/events.ts';
import { call, connect, dataOf } from '../mcp/support.ts';
import { openTestProject, scratch } from '../support.ts';
import { photograph } from './support.ts';

/** Names that mean something to a file system, to Windows, or to JavaScript. */
const NAMES = [
  '..',
  '.',
  '../../../../../../tmp/ben10-escaped',
  '/tmp/ben10-escaped',
  'a/../../../b',
  '..\\..\\b',
  'C:\\windows',
  'CON',
  'NUL.txt',
  'COM1',
  'a\0b',
  '\n',
  ' ',
  '-rf',
  '__proto__',
  'constructor',
  'é'.repeat(2048),
  'x'.repeat(4096),
];

/** All that ben10 ever calls a file of its own. */
const OWN =
  /^(?:journal|blobs|checkpoints|compaction-snapshots|current\.ctx(?:\.meta)?|hook-config\.json|\.gitignore|servers)(?:\/(?:\d+\.\d+|manifest|lock|compact\.lock|inbox|quarantine|synced|erased|draining|saves|context|sessions|cursors|project|[0-9a-f]{2}|[0-9a-f]{32}|[0-9a-f]{64}|\d{16}\.(?:b10z?|ckpt)|\d{16}-[0-9a-f]{12}\.ctx|[0-9a-f]{16}-[0-9a-f]{12}\.evt))*$/;

/** Nothing beside `.ben10`, and in it only what ben10 calls so. */
function expectTidy(dir: string, beside: string[] = []): void {
  expect(readdirSync(dir).sort()).toEqual(['.ben10', ...beside]);
  const names = readdirSync(path.join(dir, '.ben10'), { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => !OWN.test(name.replaceAll(path.sep, '/')))).toEqual([]);
  expect(existsSync('/tmp/ben10-escaped')).toBe(false);
}

describe('a name from outside', () => {
  it('is text in the journal, and never a path: in what hooks are handed', async () => {
    const dir = path.join(scratch(), 'one/project');
    mkdirSync(dir, { recursive: true });
    for (const name of NAMES) {
      const input = {
        session_id: name,
        agent_id: name,
        agent_type: name,
        cwd: name,
        transcript_path: name,
        agent_transcript_path: name,
        tool_name: name,
        tool_use_id: name,
        prompt_id: name,
        prompt: name,
        source: name,
        tool_input: { file_path: name, [name]: name, content: 'x'.repeat(70_000) + name },
      };
      for (const [event, said] of [
        ['PreToolUse', 'PreToolUse'],
        ['Stop', name],
      ] as const) {
        const run = await runHook(dir, event, { ...input, hook_event_name: said });
        expect(run.code, name).toBe(0);
        expect(run.stderr.split('\n').length, name).toBeLessThanOrEqual(2);
        expect(run.stderr, name).not.toMatch(/^\s+at /m);
      }
    }
    expectTidy(dir);
    expect(readdirSync(path.join(dir, '..'))).toEqual(['project']);
    expect(json(await here(dir, ['verify', '--json']))).toMatchObject({ ok: true });
    const sessions = new Set(
      (await here(dir, ['log', '--json'])).stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { session: string | null }).session),
    );
    const heads = new Set([...sessions].map((session) => session?.slice(0, 100)));
    for (const name of NAMES) expect(heads.has(name.slice(0, 100)), name).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('makes no folder, where the client says nothing but a cwd that is not there', async () => {
    const here = scratch();
    for (const cwd of ['../made', 'made', path.join(here, 'not/there'), '..', 'x'.repeat(4096)]) {
      const input = { ...toolCall('t1'), cwd };
      await runHook('', 'PreToolUse', input, { CLAUDE_PROJECT_DIR: path.join(here, 'missing') });
    }
    expect(readdirSync(here)).toEqual([]);
    const run = await runHook('', 'PreToolUse', { ...toolCall('t1'), cwd: path.join(here, 'no') });
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toContain('JOURNAL_UNSAFE');
    expect(readdirSync(here)).toEqual([]);
  });

  it('is refused or taken as text in arguments, of commands and of tools', async () => {
    const dir = scratch();
    const { writer } = openTestProject(dir);
    writer.append([anEvent('prompt.submitted', { text: 'hello' })]);
    // A save whose event names a file elsewhere.
    const file = '../../../../../../etc/passwd';
    writer.append([anEvent('context.saved', { name: 'evil', upto: 1, file })]);
    const server = await connect(dir, { BEN10_MCP_PROFILE: 'full' });
    for (const name of NAMES) {
      const made = await call(server, 'ben10_save', { name });
      if (made.isError !== true) {
        const { point } = await dataOf<{ point: { seq: number } }>(server, 'ben10_replay', {
          point: `@save:${name}`,
        });
        expect(point.seq).toBeGreaterThan(0);
      }
      for (const [tool, args] of [
        ['ben10_restore', { point: name }],
        ['ben10_replay', { path: name }],
        ['ben10_log', { session: name }],
        ['ben10_diff', { from: name, to: name }],
      ] as const) {
        const answer = await call(server, tool, args);
        expect(answer.content[0]?.text, name).not.toMatch(/\n\s+at /);
      }
    }
    expect(await dataOf(server, 'ben10_replay', { point: '@save:evil' })).toMatchObject({
      point: { seq: 1 },
    });
    expectTidy(dir);
    for (const name of ['../../x', 'x'.repeat(4096), '__proto__']) {
      for (const args of [
        ['show', name],
        ['replay', name],
        ['replay', `@save:${name}`],
      ]) {
        const run = await here(dir, [...args, '--json']);
        expect([0, 1, 2], name).toContain(run.status); // `..` is a range: from the start to the end
        expect(run.stderr, name).not.toMatch(/^\s+at /m);
        if (run.status === 0) continue;
        expect(json<{ error: { code: string } }>(run).error.code).toMatch(/^(POINT|USAGE)/);
      }
    }
    expectTidy(dir);
  });
});

it('a file of ben10’s folders that is called something else is left alone', async () => {
  const dir = scratch();
  await runHook(dir, 'PreToolUse', toolCall('t1'));
  const root = path.join(dir, '.ben10');
  const [origin] = readdirSync(path.join(root, 'journal')).filter((name) => name.length === 32);
  mkdirSync(path.join(root, 'blobs/zz'), { recursive: true, mode: 0o700 });
  const strange = ['CON.evt', '...evt', '\n.evt', `${'0'.repeat(16)}-${'g'.repeat(12)}.evt`, '-rf'];
  const files = ['journal/inbox', `journal/${origin}`, 'blobs/zz', 'journal', '.'].flatMap(
    (folder) => strange.map((name) => path.join(root, folder, name)),
  );
  for (const file of files) writeFileSync(file, 'of somebody');
  const before = photograph(root);
  await runHook(dir, 'PreToolUse', toolCall('t2'));
  expect((await here(dir, ['compact', '--json'])).status).toBe(0);
  expect(json(await here(dir, ['verify', '--json']))).toMatchObject({ ok: true, events: 2 });
  const after = photograph(root);
  for (const file of files) {
    const name = path.relative(root, file);
    expect(after[name], name).toBe(before[name]);
  }
});
