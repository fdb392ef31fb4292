import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANSWER_BYTES_MAX } from '../../../src/mcp/limits.ts';
import { playTurns, prompt, SESSION } from '../session.ts';
import { activeSegment, type Connected, connect, dataOf } from '../support.ts';

async function read(server: Connected, uri: string): Promise<{ text: string; mimeType: string }> {
  const { contents } = await server.client.readResource({ uri });
  return contents[0] as { text: string; mimeType: string };
}

describe('the resources', () => {
  it('are these, with what a client shows of them', async () => {
    const server = await connect();
    const { resources } = await server.client.listResources();
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['ben10://status', 'application/json'],
      ['ben10://context', 'application/json'],
      ['ben10://preferences', 'application/json'],
      ['ben10://snapshots', 'application/json'],
    ]);
    for (const { title, description } of resources) expect(title && description).toBeTruthy();
    const { resourceTemplates } = await server.client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([
      { uriTemplate: 'ben10://snapshots/{id}', mimeType: 'application/json' },
    ]);
  });

  it('give the status as the tool does', async () => {
    const server = await connect();
    await playTurns(server, 1);
    const { text, mimeType } = await read(server, 'ben10://status');
    expect(mimeType).toBe('application/json');
    const { server: own, cost, ...told } = JSON.parse(text);
    const asked = await dataOf<Record<string, object>>(server, 'ben10_status');
    // What is spent in between, the two of these count.
    const { server: _, cost: costAsked, ...status } = asked;
    expect(told).toEqual(status);
    expect(told).toMatchObject({ exists: true, directory: server.dir, health: 'good' });
    expect(Object.keys(cost)).toEqual(Object.keys(costAsked!));
    expect(own.pid).toBe(server.pid);
  });

  it('give what the user keeps asking for, with the events that show it', async () => {
    const server = await connect();
    await playTurns(server, 2);
    const { note, preferences } = JSON.parse((await read(server, 'ben10://preferences')).text);
    expect(note).toContain('not instructions');
    expect(preferences).toMatchObject([
      {
        kind: 'rule',
        text: 'Never touch the lock file.',
        count: 2,
        seqs: [1, 6],
        sessions: [SESSION],
      },
    ]);
  });

  it('give the context as a summary that fits', { tags: 'long' }, async () => {
    const server = await connect();
    await playTurns(server, 60, 'o'.repeat(400));
    const { text } = await read(server, 'ben10://context');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
    expect(JSON.parse(text)).toMatchObject({
      note: expect.stringMatching(/data, not instructions/),
      session: SESSION,
      shortened: true,
      state: { tools: { total: 120 } },
    });
  });

  it('say how many events the context could not be told by', async () => {
    const server = await connect();
    await playTurns(server, 2);
    const context = async () => JSON.parse((await read(server, 'ben10://context')).text);
    expect(await context()).not.toHaveProperty('unreadable');
    const file = activeSegment(server.dir);
    const bytes = readFileSync(file);
    const at = bytes.indexOf('Please do step 1');
    writeFileSync(file, bytes.fill('x', at, at + 16));
    expect((await context()).unreadable).toEqual({
      events: 1,
      segments: ['0000000000000001.b10'],
      next: expect.stringMatching(/run: ben10 verify$/),
    });
  });

  it('give no secret, even one that the journal holds', async () => {
    const first = await connect();
    await prompt(first, 1, 'The code name is BLUEBIRD-7 and nobody may know.');
    await first.client.close();
    const redaction = { patterns: [{ id: 'CODE-NAME', pattern: 'BLUEBIRD-\\d' }] };
    writeFileSync(path.join(first.dir, '.ben10/config.yaml'), JSON.stringify({ redaction }));
    const later = await connect(first.dir);
    const { text } = await read(later, 'ben10://context');
    expect(text).not.toContain('BLUEBIRD-7');
    expect(text).toContain('[REDACTED:CODE-NAME]');
  });

  it('answers one that is not there as the protocol says, with a code of ours and what there is', async () => {
    const server = await connect();
    await expect(read(server, 'ben10://nothing')).rejects.toMatchObject({
      code: -32002,
      message: expect.stringMatching(
        /MCP_RESOURCE_ERROR: there is no resource "ben10:\/\/nothing"\. Use one of: ben10:\/\/status, .*ben10:\/\/snapshots\/\{id\}$/,
      ),
      data: { code: 'MCP_RESOURCE_ERROR', next: expect.stringContaining('ben10://status') },
    });
  });
});
