import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Ben10Error } from '../src/platform/errors.ts';
import { readEvents } from '../src/projections/events.ts';
import { context } from '../src/projections/folds/context.ts';
import { prepareCurrent } from '../src/timetravel/current.ts';
import { replay } from '../src/timetravel/replay.ts';
import { prepareStored } from '../src/timetravel/stored-files.ts';
import { ben10, json } from './cli/support.ts';
import { runHook, toolCall } from './hook/run-hook.ts';
import { anEvent, prompt } from './log/events.ts';
import { playTurns } from './mcp/session.ts';
import { activeSegment, connect } from './mcp/support.ts';
import { openTestProject, scratch } from './support.ts';
import { imported, testProject, transcript } from './timetravel/project.ts';

/** Codes of the first plan that nothing else asks for: where each of them comes from. */

const DISPATCH = path.join(import.meta.dirname, '../dist/ben10.cjs');

const eventsIn = (dir: string): number => [...openTestProject(dir).reader.entries()].length;

describe('HOOK_INVALID_INPUT', () => {
  it.each([
    ['no JSON', 'PreToolUse', 'not json', 'not'],
    ['half of it', 'PreToolUse', '{"session_id":"s","tool_na', '{"session_id":"s",'],
    ['a list', 'Stop', '[1]', '[1]'],
  ])(
    'is said, in one line, of a stdin that holds %s; what came is kept',
    async (_, event, stdin, kept) => {
      const dir = scratch();
      const run = await runHook(dir, event, stdin);
      expect(run).toMatchObject({
        code: 0,
        stdout: '',
        stderr:
          'ben10: HOOK_INVALID_INPUT: stdin is not a complete JSON object; its beginning was kept\n',
      });
      const { reader, ports } = openTestProject(dir);
      const events = [...readEvents(reader, ports.xxh64, {})];
      expect(events.map(({ data }) => JSON.stringify(data))).toEqual([
        expect.stringContaining(JSON.stringify(kept).slice(1, -1)),
      ]);
    },
  );

  it('is said otherwise of a stdin on which nothing came', async () => {
    const dir = scratch();
    const run = await runHook(dir, 'SessionStart', '');
    expect(run).toMatchObject({
      code: 0,
      stderr:
        'ben10: HOOK_INVALID_INPUT: stdin was empty or came too late; only that was recorded\n',
    });
    expect(eventsIn(dir)).toBe(1);
  });

  it('is not said of what only is unknown', async () => {
    const dir = scratch();
    for (const input of [{}, { hook_event_name: 'BrandNew' }, { session_id: 5 }])
      expect(await runHook(dir, 'PreToolUse', input)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('HOOK_EXECUTION_FAILED', () => {
  it('is said of a fault that ben10 has no code for, as of a stdin that cannot be read', () => {
    const dir = scratch();
    const stdin = openSync(dir, 'r');
    const run = spawnSync(process.execPath, [DISPATCH, 'hook', 'PreToolUse'], {
      stdio: [stdin, 'pipe', 'pipe'],
      env: { ...process.env, CLAUDE_PROJECT_DIR: dir },
      encoding: 'utf8',
    });
    closeSync(stdin);
    expect(run).toMatchObject({ status: 0, stdout: '' });
    expect(run.stderr).toMatch(
      /^ben10: this event was not recorded: HOOK_EXECUTION_FAILED: E[A-Z]+: .+\n$/,
    );
  });

  it('is not said of an event that was recorded: only what comes after that failed', async () => {
    const dir = scratch();
    const project = openTestProject(dir);
    const state = JSON.stringify(context.initial());
    const frontier = { seq: 1, folded: [], place: null, reached: [], recent: [] };
    const based = { projection: 'context', version: 999, upto: 1, state, frontier };
    const request = { by: 'age' as const, targets: [], upto: 1, kept: [] };
    project.writer.append([
      prompt('old', { session: 's' }),
      anEvent('journal.based', based, { session: 's' }),
      anEvent('erasure.requested', { ...request, bases: [2, 2] }, { session: null }),
    ]);
    project.writer.close();
    const started = { session_id: 's', cwd: dir, source: 'compact' };
    const { stdout, stderr } = await runHook(dir, 'SessionStart', started);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^ben10: the environment was not reported: DESERIALIZE_FAILED: .+\n$/);
    expect(eventsIn(dir)).toBe(4);
  });

  it('is not said where there is a code of its own', async () => {
    const dir = scratch();
    writeFileSync(path.join(dir, '.ben10'), 'a file where the folder belongs');
    const { stderr } = await runHook(dir, 'PreToolUse', toolCall('t1'));
    expect(stderr).toMatch(/^ben10: this event was not recorded: JOURNAL_UNSAFE: /);
  });
});

describe('CHECKSUM_MISMATCH', () => {
  it('is said of an event whose bytes were changed on the disk', { tags: 'long' }, async () => {
    const dir = scratch();
    for (const id of ['one', 'two', 'three'])
      await runHook(dir, 'PreToolUse', toolCall(id, `echo ${id}-${id}`));
    const file = activeSegment(dir);
    const bytes = readFileSync(file);
    const at = bytes.indexOf('two-two');
    writeFileSync(file, bytes.fill(0x5a, at, at + 3));
    const { status, stdout } = ben10(dir, ['show', '2', '--json']);
    expect(status).toBe(1);
    expect(json({ stdout } as never)).toMatchObject({
      error: {
        code: 'CHECKSUM_MISMATCH',
        place: { seq: 2 },
        next: expect.stringMatching(/verify/),
      },
    });
    expect(ben10(dir, ['show', '3']).status).toBe(0);
  });
});

describe('MCP_RESOURCE_ERROR', () => {
  it('is said of a resource that is not there, and of no other that cannot be read', {
    tags: 'long',
  }, async () => {
    const server = await connect();
    await playTurns(server, 1);
    const journal = path.join(server.dir, '.ben10/journal');
    rmSync(journal, { recursive: true });
    writeFileSync(journal, 'no folder');
    const read = (uri: string) => server.client.readResource({ uri });
    await expect(read('ben10://context')).rejects.toMatchObject({
      data: { code: 'JOURNAL_UNSAFE' },
    });
    await expect(read('ben10://nothing')).rejects.toMatchObject({
      data: { code: 'MCP_RESOURCE_ERROR', next: expect.stringContaining('ben10://context') },
    });
  });
});

describe('SERIALIZE_FAILED', () => {
  it('is said of a state that cannot be put into its stored form, and nothing is written', () => {
    const project = imported(
      testProject(),
      transcript('claude-2.1.329-real-todo-app/transcript.jsonl'),
    );
    const replayed = replay(project);
    let deep: object = {};
    for (let n = 0; n < 200; n += 1) deep = { deep };
    for (const write of [
      () => prepareCurrent(project, { ...replayed, state: deep }),
      () => prepareStored(project, 'checkpoints/saves', { ...replayed, state: deep }),
    ]) {
      expect(write).toThrow(
        expect.objectContaining({
          constructor: Ben10Error,
          code: 'SERIALIZE_FAILED',
          next: expect.stringContaining('ben10 replay'),
        }),
      );
    }
    const { fs } = project.ports;
    for (const name of ['current.ctx', 'checkpoints/saves'])
      expect(fs.statIfThere(path.join(project.root, name))).toBeUndefined();
  });
});
