import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolCalled } from '../../src/events/types.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { openTestProject } from '../support.ts';
import { HookedSession } from './hooked-session.ts';

type Json = Record<string, unknown>;

const SESSION = '5e551077-0000-4000-8000-0000000000c1';

/** A session whose tools are told by hooks. */
class Client extends HookedSession {
  tool(event: string, fields: Json): Promise<string> {
    return this.hook(event, { session_id: SESSION, prompt_id: 'p1', ...fields });
  }

  writes(n: number): { call: Json; outcome: Json } {
    const file_path = `${this.dir}/file-${n}.ts`;
    const tool_input = { file_path, content: `export const n = ${n};\n` };
    const call = { tool_name: 'Write', tool_input, tool_use_id: `toolu_${n}` };
    return { call, outcome: { ...call, tool_response: { type: 'create', filePath: file_path } } };
  }

  /** What the journal has of tools, in its order, and what the state has of them. */
  seen() {
    const project = openTestProject(this.dir);
    const types = ['tool.called', 'tool.succeeded', 'tool.failed'];
    const events = [...readEvents(project.reader, project.ports.xxh64, { types })];
    const { state } = project.states.at(context, SESSION);
    return {
      events,
      types: events.map(({ type }) => type),
      runs: state.tools.runs.map(({ name, outcome, about }) => `${name} ${outcome} ${about}`),
      total: state.tools.total,
      files: Object.keys(state.files.files).map((file) => path.basename(file)),
      counted: project.states.at(sessions, null).state.sessions[SESSION]?.toolCalls,
    };
  }
}

describe('an outcome whose call was never recorded', () => {
  it('brings the call along: the state has the tool, and what it did to files', async () => {
    const client = new Client();
    const { outcome } = client.writes(1);
    await client.tool('PostToolUse', { ...outcome, agent_id: 'a1', duration_ms: 40 });
    const bash = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: 'toolu_b' };
    await client.tool('PostToolUseFailure', { ...bash, error: 'Exit code 2\nno rule' });
    const { events, ...rest } = client.seen();
    expect(rest).toEqual({
      types: ['tool.called', 'tool.succeeded', 'tool.called', 'tool.failed'],
      runs: [`Write passed ${client.dir}/file-1.ts`, 'Bash failed make'],
      total: 2,
      files: ['file-1.ts'],
      counted: 2,
    });
    const [called, succeeded] = events;
    expect(called).toMatchObject({
      agent: 'a1',
      source: 'hook',
      at: succeeded!.at! - 40,
      data: { toolUseId: 'toolu_1', promptId: 'p1', input: { content: 'export const n = 1;\n' } },
    });
  });

  it('has it once when the call’s own hook, or the transcript, tells it later', async () => {
    const client = new Client();
    const { call, outcome } = client.writes(1);
    const timestamp = new Date().toISOString();
    await client.tool('PostToolUse', outcome);
    await client.tool('PreToolUse', call);
    const said = {
      type: 'assistant',
      sessionId: SESSION,
      uuid: 'u1',
      parentUuid: null,
      timestamp,
      message: {
        id: 'm1',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'Write', input: call.tool_input }],
      },
    };
    client.write(`${JSON.stringify(said)}\n`);
    await client.tool('Stop', {});
    expect(client.seen()).toMatchObject({
      types: ['tool.called', 'tool.succeeded'],
      total: 1,
      files: ['file-1.ts'],
      counted: 1,
    });
  });

  it('has no secret of it, and no more than the settings let', async () => {
    const client = new Client();
    const token = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`;
    const tool_input = { command: `curl -H "Authorization: Bearer ${token}" localhost` };
    const call = { tool_name: 'Bash', tool_input, tool_use_id: 'toolu_s' };
    await client.tool('PostToolUse', { ...call, tool_response: { stdout: 'ok', stderr: '' } });
    const [called] = client.seen().events;
    expect(JSON.stringify(called)).toContain('[REDACTED:');
    expect(JSON.stringify(called)).not.toContain(token);
  });
});

describe('an outcome whose call was recorded', () => {
  it('does not tell it again, however much other tools wrote in between', async () => {
    const client = new Client();
    const pairs = Array.from({ length: 6 }, (_, n) => client.writes(n));
    for (const { call } of pairs) await client.tool('PreToolUse', call);
    // Texts of up to 64 KiB stand in the journal itself: together more than a writer's window.
    const content = 'line of a file\n'.repeat(3000);
    for (const { outcome } of pairs)
      await client.tool('PostToolUse', { ...outcome, tool_response: { type: 'create', content } });
    const { events, types } = client.seen();
    expect(types).toEqual([
      ...pairs.map(() => 'tool.called'),
      ...pairs.map(() => 'tool.succeeded'),
    ]);
    const ids = events.map(({ data }) => (data as ToolCalled).toolUseId);
    expect(ids.slice(0, 6)).toEqual(ids.slice(6));
  });
});
