import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LINE_BYTES_MAX } from '../../src/mcp/limits.ts';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { scratch } from '../support.ts';
import { SESSION } from './session.ts';
import {
  activeSegment,
  connect,
  eventsOf,
  hookArgs,
  INITIALIZE,
  linesOf,
  type RawServer,
  rawServer,
  toolCall,
} from './support.ts';

const NAMES = PROFILES.core.tools.map((tool) => tool.name);
const BAD_ARGUMENTS: unknown[] = [
  {},
  { nonsense: true },
  { limit: 'many', cursor: 5, point: '@nowhere', from: {}, name: '\u001b[31m', mode: 7 },
  { cursor: 'AAAA', point: '@99999999', from: '@-9', name: 'never saved' },
  { session: '\ud800', path: '__proto__', types: ['nope'], hook_event_name: '' },
  'not an object',
  null,
];

/** A whole session: every tool and every resource, with good and bad arguments, and lines that are no protocol. */
async function wholeSession(server: RawServer): Promise<void> {
  server.send(INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' });
  const ids: number[] = [];
  const ask = (message: object) => {
    const id = ids.length + 1;
    ids.push(id);
    server.send({ jsonrpc: '2.0', id, ...message });
  };
  ask({ method: 'tools/list' });
  ask({ method: 'resources/list' });
  ask({ method: 'resources/templates/list' });
  ask({ method: 'ping' });
  ask({ method: 'no/such/method' });
  for (const uri of ['ben10://status', 'ben10://context', 'ben10://nothing', '../etc/passwd']) {
    ask({ method: 'resources/read', params: { uri } });
  }
  for (const event of ['PreToolUse', 'PostToolUse', 'SubagentStop']) {
    ask({
      method: 'tools/call',
      params: { name: 'ben10_record', arguments: hookArgs(event, ids.length) },
    });
  }
  server.send('not json', '{"jsonrpc":"2.0"', '[]', '{}', '\u0000', '{"jsonrpc":"1.0","id":1}');
  for (const args of BAD_ARGUMENTS) {
    for (const name of [...NAMES, 'no_such_tool']) {
      ask({ method: 'tools/call', params: { name, arguments: args } });
    }
  }
  await Promise.all(ids.map((id) => server.answer(id)));
}

function expectOnlyProtocol(stdout: string): void {
  expect(stdout.endsWith('\n')).toBe(true);
  for (const message of linesOf(stdout)) {
    expect(message.jsonrpc).toBe('2.0');
    expect(message).toHaveProperty('id');
    expect('result' in message || 'error' in message).toBe(true);
  }
}

/** Two events in a project's journal. */
async function seeded(): Promise<string> {
  const { client, dir } = await connect();
  for (const event of ['PreToolUse', 'PostToolUse']) {
    await client.callTool({ name: 'ben10_record', arguments: hookArgs(event, 'seed') });
  }
  await client.close();
  return dir;
}

describe('stdout', () => {
  const damaged = async () => {
    const dir = await seeded();
    const file = activeSegment(dir);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, bytes.length - 300, bytes.length - 100);
    writeFileSync(file, bytes);
    return dir;
  };
  const unusable = () => {
    const dir = scratch();
    writeFileSync(path.join(dir, '.ben10'), 'a file');
    return dir;
  };
  const misconfigured = () => {
    const dir = scratch();
    mkdirSync(path.join(dir, '.ben10'));
    writeFileSync(path.join(dir, '.ben10/config.yaml'), 'mcp: [broken');
    return dir;
  };

  it.each([
    ['in a new project', scratch, /^ben10 debug: /],
    ['with a journal that is damaged', damaged, /./],
    ['where .ben10 cannot be a journal', unusable, /./],
    [
      'with a configuration that is wrong',
      misconfigured,
      /the configuration has a mistake; its valid parts/,
    ],
  ])('carries JSON-RPC only, %s', { tags: 'long' }, async (_, dirOf, diagnosis) => {
    const server = rawServer(await dirOf(), { env: { BEN10_LOG_LEVEL: 'debug' } });
    await wholeSession(server);
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
    expectOnlyProtocol(server.stdout());
    expect(server.stderr()).toMatch(diagnosis);
  });
});

describe('the protocol', () => {
  it('is answered in the revision 2025-11-25, with a name, a version and instructions', {
    tags: 'long',
  }, async () => {
    const { client } = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'ben10', title: 'ben10' });
    expect(client.getServerVersion()?.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(client.getInstructions()).toContain('ben10_restore');
    const server = rawServer(scratch());
    server.send(INITIALIZE);
    const { result } = await server.answer('init');
    expect((result as { protocolVersion: string }).protocolVersion).toBe('2025-11-25');
  });

  it('answers a probe of a later revision with method not found, and then the handshake', async () => {
    const server = rawServer(scratch());
    server.send({
      jsonrpc: '2.0',
      id: 'server-discover-probe-1',
      method: 'server/discover',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
    });
    expect(await server.answer('server-discover-probe-1')).toMatchObject({
      error: { code: -32601 },
    });
    server.send(INITIALIZE);
    expect(await server.answer('init')).toHaveProperty('result');
  });

  it('answers what was asked before stdin ended', { tags: 'long' }, async () => {
    const server = rawServer(scratch());
    server.send(INITIALIZE, toolCall(1, 'ben10_status', {}), toolCall(2, 'ben10_log', {}));
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
    expect(linesOf(server.stdout()).map((message) => message.id)).toEqual(['init', 1, 2]);
  });

  it('goes on after a message that is too long, and answers it', { tags: 'long' }, async () => {
    const server = rawServer(scratch());
    server.send(INITIALIZE);
    const long = 'x'.repeat(LINE_BYTES_MAX);
    server.send(toolCall(1, 'ben10_log', { session: long }));
    server.send(toolCall(2, 'ben10_record', hookArgs('PostToolUse', 1, { tool_response: long })));
    server.send(toolCall(3, 'ben10_status', {}));
    expect(await server.answer(1)).toMatchObject({ error: { code: -32600 } });
    expect(await server.answer(2)).toMatchObject({ result: { content: [{ text: '{}' }] } });
    expect(await server.answer(3)).toMatchObject({
      result: { structuredContent: { server: { events: { failed: 1 } } } },
    });
  });

  it('notes that a hook had more to say than could be read, and of what size', {
    tags: 'long',
  }, async () => {
    const dir = scratch();
    const server = rawServer(dir);
    server.send(INITIALIZE, toolCall(1, 'ben10_status', {}));
    await server.answer(1);
    const long = 'x'.repeat(LINE_BYTES_MAX);
    const message = toolCall(
      2,
      'ben10_record',
      hookArgs('PostToolUse', 1, { tool_response: long }),
    );
    server.send(message);
    await server.answer(2);
    const [note, ...more] = eventsOf(dir);
    expect(more).toEqual([]);
    expect(note).toMatchObject({ type: 'hook.received', session: SESSION, source: 'mcp-hook' });
    const oversized = { bytes: Buffer.byteLength(JSON.stringify(message)) };
    expect(note!.data).toMatchObject({ event: 'OversizedPostToolUse', payload: { oversized } });
  });

  it('reads a large message that is allowed', async () => {
    const server = rawServer(scratch());
    const long = 'x'.repeat(8 * 1024 * 1024);
    server.send(INITIALIZE);
    server.send(toolCall(1, 'ben10_record', hookArgs('PostToolUse', 1, { tool_response: long })));
    server.send(toolCall(2, 'ben10_log', {}));
    expect(await server.answer(1)).toMatchObject({ result: { content: [{ text: '{}' }] } });
    expect(await server.answer(2)).toMatchObject({
      result: {
        structuredContent: { events: [{ type: 'tool.succeeded' }, { type: 'tool.called' }] },
      },
    });
  });
});
