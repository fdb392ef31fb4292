import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { newEvent, scratch } from '../support.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';
import { call, SERVE } from './support.ts';

const SESSION = 'd3165355-f445-4093-ae34-d89d2f2d29db';
const TOKEN = 'a-token-of-more-than-16-characters';
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** A server by HTTP on a free port, once it has said where it listens. */
async function served(args: string[], dir = scratch(), env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...SERVE, '--http', '--port', '0', ...args], {
    cwd: dir,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: path.join(dir, '../no-home'),
      CLAUDE_PROJECT_DIR: dir,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      const found = /http:\S+/.exec(stderr)?.[0];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(stderr)));
  });
  return { url, child, ended, dir, stderr: () => stderr };
}

async function clientOf(url: string, token?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  onTestFinished(() => client.close());
  return client;
}

/** One request with just these headers. */
const post = (
  url: string,
  headers: Record<string, string> = {},
  body: string = JSON.stringify(LIST),
  method = 'POST',
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> =>
  new Promise((resolve, reject) => {
    const all = { 'Content-Type': 'application/json', Accept: '*/*', ...headers };
    const asked = request(url, { method, headers: all }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode!, text, headers: response.headers }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });

/** A project with a session, a snapshot and an event that waits in the inbox. */
function recorded() {
  const dir = scratch();
  const project = imported(
    testProject({ dir }),
    transcript('claude-2.1.329-real-todo-app/transcript.jsonl'),
  );
  const { snapshot } = takeSnapshot(project, { session: SESSION, trigger: 'manual' });
  spool(project.ports, project.layout, [newEvent()]);
  project.close();
  return { dir, snapshot };
}

/** Of every file and folder below: its name, content, rights and time of change. */
function digestOf(dir: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(dir, name);
    const stat = statSync(file);
    hash.update(`${name} ${stat.mode} ${stat.mtimeMs} ${stat.size}\n`);
    if (stat.isFile()) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

describe('ben10 serve --http', () => {
  it('serves every tool, resource and prompt to the official client', async () => {
    const { dir, snapshot } = recorded();
    const { url } = await served([], dir, { BEN10_HTTP_TOKEN: TOKEN });
    const client = await clientOf(url, TOKEN);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(PROFILES.core.tools.map(({ name }) => name));
    const saved = await call({ client }, 'ben10_save', { name: 'by-http' });
    expect(saved.isError).toBeFalsy();
    expect(
      (await call({ client }, 'ben10_replay', { point: '@save:by-http' })).isError,
    ).toBeFalsy();
    const { contents } = await client.readResource({ uri: `ben10://snapshots/${snapshot}` });
    expect(contents).toHaveLength(1);
    expect((await client.getPrompt({ name: 'resume' })).messages).toHaveLength(1);
  });

  it('answers a request without a session, an initialize or a word about streams', async () => {
    const { url } = await served(['--read-only', '--no-token']);
    for (const at of [url, url.replace('/mcp', '')]) {
      const { status, headers, text } = await post(at);
      expect([status, headers['content-type']]).toEqual([200, 'application/json']);
      expect(JSON.parse(text).result.tools.length).toBeGreaterThan(5);
    }
  });

  it('makes a token of its own, and answers nobody who does not have it', async () => {
    const { url, stderr } = await served([]);
    const token = /Bearer (\w{64})/.exec(stderr())?.[1];
    const statusOf = async (Authorization: string) => (await post(url, { Authorization })).status;
    expect(await statusOf(`Bearer ${token}`)).toBe(200);
    expect(await statusOf(`Bearer ${token}0`)).toBe(401);
    expect(await statusOf(`Basic ${token}`)).toBe(401);
    const { status, headers } = await post(url);
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });

  it('prints no token that it was given', async () => {
    const { stderr } = await served([], scratch(), { BEN10_HTTP_TOKEN: TOKEN });
    expect(stderr()).not.toContain(TOKEN);
  });

  it.each([
    ['a name that leads here', { Host: 'evil.example' }, 403],
    ['an address that is not its own', { Host: '192.0.2.1' }, 403],
    ['no host that can be read', { Host: 'evil@127.0.0.1' }, 403],
    ['a page of somebody else', { Origin: 'https://evil.example' }, 403],
    ['a page without an origin', { Origin: 'null' }, 403],
    ['a page of this machine', { Origin: 'http://localhost:3000' }, 200],
    ['its other name', { Host: 'localhost:17373' }, 200],
    ['something else than JSON', { 'Content-Type': 'text/plain' }, 415],
    ['a client that takes no JSON', { Accept: 'text/html' }, 406],
  ])('%s', async (_, headers, status) => {
    const { url } = await served(['--read-only', '--no-token']);
    expect((await post(url, headers as Record<string, string>)).status).toBe(status);
  });

  it('takes nothing but messages, and none over 16 MiB', async () => {
    const { url } = await served(['--read-only', '--no-token']);
    expect((await post(url, {}, 'no JSON')).status).toBe(400);
    expect((await post(url, {}, '', 'GET')).status).toBe(405);
    expect((await post(url, {}, '', 'DELETE')).status).toBe(405);
    expect((await post(url.replace('/mcp', '/other'))).status).toBe(404);
    const fits = JSON.stringify({ ...LIST, params: { _meta: { x: 'x'.repeat(15 << 20) } } });
    expect((await post(url, {}, fits)).status).toBe(200);
    const length = { 'Content-Length': String(17 << 20), Expect: '100-continue' };
    expect((await post(url, length, '{')).status).toBe(413);
  });

  it('answers no more requests at once than it can hold, and then goes on', async () => {
    const { url } = await served(['--read-only', '--no-token']);
    const open = Array.from({ length: 16 }, () => {
      const asked = request(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': '100' },
      });
      asked.on('error', () => {});
      asked.write('{');
      return asked;
    });
    await expect.poll(async () => (await post(url)).status).toBe(503);
    for (const asked of open) asked.destroy();
    await expect.poll(async () => (await post(url)).status).toBe(200);
  });

  it('says what to do when the port is taken', async () => {
    const { url, dir } = await served(['--read-only', '--no-token']);
    const again = served(['--port', new URL(url).port], dir);
    await expect(again).rejects.toThrow(/EADDRINUSE.*[\s\S]*--port 0/);
  });

  it.each([[['--no-token']], [['--no-token', '--read-only', '--host', '0.0.0.0']]])(
    'asks for a token where it could do harm without: %j',
    async (args) => {
      await expect(served(args)).rejects.toThrow('--no-token');
    },
  );

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with %s', async (signal) => {
    const { url, child, ended } = await served(['--read-only', '--no-token']);
    await (await clientOf(url)).listTools();
    child.kill(signal);
    expect(await ended).toBe(0);
  });
});

/** The same server on stdin and stdout. */
async function onStdin(dir: string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...SERVE, '--read-only'],
    cwd: dir,
    env: { PATH: process.env.PATH ?? '', HOME: path.join(dir, '../no-home') },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return { client, end: () => client.close() };
}

async function byHttp(dir: string) {
  const { url, child, ended } = await served(['--read-only', '--no-token'], dir);
  const end = async () => {
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  };
  return { client: await clientOf(url), end };
}

describe('a server that may only read', () => {
  it.each([
    ['by HTTP', byHttp],
    ['on stdin', onStdin],
  ])('changes not one byte of .ben10, whatever it is asked %s', async (_, start) => {
    const { dir, snapshot } = recorded();
    const ben10 = path.join(dir, '.ben10');
    // Stale settings would be compiled anew, and what waits in the inbox taken in.
    writeFileSync(path.join(ben10, 'config.yaml'), 'mcp:\n  profile: [core]\n', { mode: 0o600 });
    const before = digestOf(ben10);
    const { client, end } = await start(dir);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('ben10_save');
    for (const { name } of tools) {
      const args = name === 'ben10_snapshot_restore' ? { id: snapshot } : {};
      const answer = await call({ client }, name, args);
      expect(answer.isError, `${name}: ${answer.content[0]?.text}`).toBeFalsy();
    }
    for (const { name } of PROFILES.core.tools) await call({ client }, name, { name: 'x' });
    const { resources } = await client.listResources();
    for (const { uri } of resources) await client.readResource({ uri });
    for (const { name } of (await client.listPrompts()).prompts)
      await client.getPrompt({ name }).catch(() => undefined);
    await end();
    expect(digestOf(ben10)).toBe(before);
  });

  it('makes nothing where nothing was recorded', async () => {
    const { url, dir } = await served(['--read-only', '--no-token']);
    await call({ client: await clientOf(url) }, 'ben10_status');
    expect(existsSync(path.join(dir, '.ben10'))).toBe(false);
  });
});
