import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolFailed, ToolSucceeded } from '../../../src/events/types.ts';
import { scratch } from '../../support.ts';
import { record, SESSION } from '../session.ts';
import { call, connect, dataOf, eventsOf } from '../support.ts';

const counts = async (server: Parameters<typeof dataOf>[0]) =>
  (await dataOf<{ server: { events: object } }>(server, 'ben10_status')).server.events;

describe('ben10_record', () => {
  it('keeps a tool call and its result as a command hook would, said to come from an mcp hook', {
    tags: 'long',
  }, async () => {
    const server = await connect();
    await record(server, 'PreToolUse', 1);
    await record(server, 'PostToolUse', 1);
    const [called, succeeded] = eventsOf(server.dir);
    expect(called).toMatchObject({
      type: 'tool.called',
      session: SESSION,
      agent: null,
      source: 'mcp-hook',
      client: 'claude-code',
      data: { toolUseId: 'toolu_1', name: 'Bash', input: { command: 'echo 1' }, promptId: 'p1' },
    });
    expect(succeeded?.data as ToolSucceeded).toEqual({
      toolUseId: 'toolu_1',
      name: 'Bash',
      response: { stdout: 'out 1', stderr: '' },
      durationMs: 12,
    });
  });

  it('keeps a failure with its exit code, and what text became of booleans and numbers', async () => {
    const server = await connect();
    const more = { error: 'Exit code 3\nFAIL', is_interrupt: 'false', duration_ms: '27' };
    await record(server, 'PreToolUse', 1);
    await record(server, 'PostToolUseFailure', 1, more);
    expect(eventsOf(server.dir)[1]?.data as ToolFailed).toEqual({
      toolUseId: 'toolu_1',
      name: 'Bash',
      error: 'Exit code 3\nFAIL',
      exitCode: 3,
      isInterrupt: false,
      durationMs: 27,
    });
  });

  it('tells a call by its result where its own hook did not come, and once where it did', async () => {
    const server = await connect();
    await record(server, 'PostToolUse', 1, { agent_id: 'a1' });
    await record(server, 'PreToolUse', 2);
    await record(server, 'PostToolUse', 2);
    const events = eventsOf(server.dir);
    expect(events.map(({ type, agent }) => [type, agent])).toEqual([
      ['tool.called', 'a1'],
      ['tool.succeeded', 'a1'],
      ['tool.called', null],
      ['tool.succeeded', null],
    ]);
    const [called, succeeded] = events;
    expect(called).toMatchObject({
      source: 'mcp-hook',
      at: succeeded!.at! - 12,
      data: { toolUseId: 'toolu_1', name: 'Bash', input: { command: 'echo 1' }, promptId: 'p1' },
    });
  });

  it('answers every hook with nothing to say, whatever it was given', {
    tags: 'long',
  }, async () => {
    const server = await connect();
    const given: Record<string, unknown>[] = [
      {},
      { hook_event_name: '' },
      { hook_event_name: 7, session_id: [] },
      { hook_event_name: 'PreToolUse' },
      { hook_event_name: 'PreToolUse', tool_use_id: 'x', tool_name: 'Y', tool_input: '{"half":' },
      { hook_event_name: 'Stop', session_id: 's', stop_hook_active: 'true' },
      { hook_event_name: 'MessageDisplay', session_id: 's' },
      { hook_event_name: 'PostToolUse', tool_use_id: 'z', tool_response: '\ud800\u0000' },
      JSON.parse('{"hook_event_name": "Odd", "__proto__": {"a": 1}, "constructor": "c"}'),
    ];
    for (const args of given) {
      expect(await call(server, 'ben10_record', args)).toEqual({
        content: [{ type: 'text', text: '{}' }],
      });
    }
    expect(await counts(server)).toMatchObject({ failed: 0 });
  });

  it('counts what says no event, and says so on stderr when asked to', {
    tags: 'long',
  }, async () => {
    const server = await connect(scratch(), { BEN10_LOG_LEVEL: 'debug' });
    await call(server, 'ben10_record', {});
    expect(await counts(server)).toMatchObject({ ignored: 1, recorded: 0 });
    expect(server.stderr()).toContain('without hook_event_name');
  });

  it('writes no secret, by the built-in rules and by those of the project', async () => {
    const dir = scratch();
    mkdirSync(path.join(dir, '.ben10'));
    const rule = 'redaction:\n  patterns:\n    - id: TICKET\n      pattern: TICKET-\\d+\n';
    writeFileSync(path.join(dir, '.ben10/config.yaml'), rule);
    const server = await connect(dir);
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const command = `curl -H "Authorization: Bearer ${token}" x # TICKET-4711`;
    await record(server, 'PreToolUse', 1, { tool_input: JSON.stringify({ command }) });
    const text = JSON.stringify(eventsOf(dir)[0]?.data);
    expect(text).not.toContain(token);
    expect(text).not.toContain('TICKET-4711');
    expect(text).toContain('[REDACTED:TICKET]');
  });

  it('keeps nothing where the project said not to', { tags: 'long' }, async () => {
    const server = await connect(scratch(), { BEN10_CONTEXT_AUTO_SAVE: 'false' });
    await record(server, 'PreToolUse', 1);
    expect(await counts(server)).toMatchObject({ ignored: 1, recorded: 0 });
  });
});
