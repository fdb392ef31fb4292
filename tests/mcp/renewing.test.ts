import { execFile } from 'node:child_process';
import { cpSync, readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';
import { canRenew, handoverOf } from './renewed.ts';
import { prompt } from './session.ts';
import {
  call,
  connect,
  dataOf,
  eventsOf,
  hookArgs,
  INITIALIZE,
  linesOf,
  type RawServer,
  rawServer,
  SERVER,
  textOf,
  toolCall,
  toolUseIds,
} from './support.ts';

const SECRET = 'kanari-4711-vogel';
/** Longer than it takes a server to notice, on a machine that is busy, too. */
const SOON = { timeout: 60_000, interval: 50 };
/** Each takes half a second of a processor that is not busy. */
const SIX_WASHES = { ...SOON, timeout: 80_000 };
/** In which one that could start anew would have done so. */
const A_WHILE_MS = 3000;

/** In a process of its own, while this one goes on. */
const erase = (dir: string, pattern = SECRET) =>
  promisify(execFile)(process.execPath, [PROGRAM, 'erase', '--pattern', pattern, '--yes'], {
    cwd: dir,
  });

const renewed = (pid: number) => expect.poll(() => handoverOf(pid), SOON).toBeDefined();

/** A server that recorded something to erase, spoken to in lines. */
async function rawWithSecret(env: Record<string, string> = {}, program?: string) {
  const server = rawServer(scratch(), { env, ...(program === undefined ? {} : { program }) });
  const secret = { prompt: `the key is ${SECRET}` };
  server.send(
    INITIALIZE,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    toolCall('secret', 'ben10_record', hookArgs('UserPromptSubmit', 0, secret)),
    toolCall('read', 'ben10_log', { detail: 'data' }),
  );
  expect(JSON.stringify(await server.answer('read'))).toContain(SECRET);
  return { ...server, pid: server.child.pid! };
}

/** The same with the SDK's client, whose user answers so. */
async function withSecret(answer: () => Promise<ElicitResult>) {
  const server = await connect(scratch(), {}, answer);
  await prompt(server, 1, `the key is ${SECRET}`);
  return server;
}

/** Children of a process that have ended, and of whose end it has not heard. */
const zombiesOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '' && /\) Z/.test(readFileSync(`/proc/${child}/stat`, 'utf8')));

/** Ids of all answers, one for each. */
const answered = (server: Pick<RawServer, 'stdout'>): unknown[] =>
  linesOf(server.stdout()).map(({ id }) => id);

describe.runIf(canRenew && process.platform === 'linux')('a server after an erasure', () => {
  it('starts anew in its process, and answers once what is asked around it', async () => {
    const server = await rawWithSecret();
    let n = 0;
    let isOver = false;
    const asking = async () => {
      for (; !isOver || n < 200; n += 1) {
        const request =
          n % 3 === 0
            ? toolCall(n, 'ben10_record', hookArgs('PreToolUse', n))
            : n % 3 === 1
              ? toolCall(n, 'ben10_log', { limit: 1 })
              : { jsonrpc: '2.0', id: n, method: 'ping' };
        // A line comes in pieces as often as not, as long ones do.
        const line = `${JSON.stringify(request)}\n`;
        const half = n % 2 === 0 ? line.length : n % line.length;
        server.child.stdin!.write(line.slice(0, half));
        if (half < line.length) await after(1);
        server.child.stdin!.write(line.slice(half));
        if (n % 7 === 0) await after(5);
      }
    };
    const asked = asking();
    await erase(server.dir);
    await renewed(server.pid);
    isOver = true;
    await asked;
    await server.answer(n - 1);
    await expect.poll(() => answered(server).length, SOON).toBe(n + 3);
    const numbers = Array.from({ length: n }, (_, one) => one);
    expect(new Set(answered(server))).toEqual(new Set(['init', 'secret', 'read', ...numbers]));
    expect(linesOf(server.stdout()).filter((message) => 'error' in message)).toEqual([]);
    const recorded = numbers.filter((one) => one % 3 === 0).map((one) => `toolu_${one}`);
    expect(toolUseIds(eventsOf(server.dir), 'tool.called').sort()).toEqual(recorded.sort());
    expect(server.stderr()).toBe('');
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
  });

  it('starts anew also where it wrote nothing itself, and only handed on what was read', async () => {
    const project = testProject();
    imported(project, transcript('claude-2.1.329-real-todo-app/transcript.jsonl')).close();
    const server = await connect(project.dir);
    expect(textOf(await call(server, 'ben10_log', { detail: 'data' }))).toContain('todo');
    await erase(project.dir, 'todo');
    await renewed(server.pid);
  });

  it('goes on with what the client told it, counted and subscribed to', async () => {
    const questions: number[] = [];
    const server = await withSecret(async () => {
      questions.push(1);
      return { action: 'decline' };
    });
    const told: string[] = [];
    server.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      told.push(params.uri);
    });
    server.client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      told.push('list');
    });
    for (const uri of ['ben10://context', 'ben10://snapshots'])
      await server.client.subscribeResource({ uri });
    const before = await dataOf<{ server: object }>(server, 'ben10_status');
    await erase(server.dir);
    await renewed(server.pid);
    // Nothing of a session is in what anybody can see of a process.
    expect(readFileSync(`/proc/${server.pid}/environ`, 'utf8')).not.toContain('kanari');
    expect((await dataOf<{ server: object }>(server, 'ben10_status')).server).toEqual(
      before.server,
    );
    await expect.poll(() => told, SOON).toContain('ben10://context');
    expect(told).not.toContain('ben10://snapshots');
    expect(told).not.toContain('list');
    told.length = 0;
    await prompt(server, 2, 'Another word: heron-5');
    await expect.poll(() => told, SOON).toContain('ben10://context');
    await server.client.unsubscribeResource({ uri: 'ben10://context' });
    await dataOf(server, 'ben10_clear');
    expect(questions).toEqual([1]);
    // And once more, from a program that was started by another one.
    told.length = 0;
    await erase(server.dir, 'heron-5');
    await expect
      .poll(() => handoverOf(server.pid), SOON)
      .toMatchObject({ watched: { uris: ['ben10://snapshots'] } });
    await dataOf(server, 'ben10_clear');
    expect(questions).toEqual([1, 1]);
    expect(told).toEqual([]);
  });

  it('waits for the answer to its own question', async () => {
    let reply = (_answer: ElicitResult) => {};
    let wasAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      wasAsked = resolve;
    });
    const server = await withSecret(() => {
      wasAsked();
      return new Promise((resolve) => {
        reply = resolve;
      });
    });
    const call = dataOf<{ cleared: boolean }>(server, 'ben10_clear');
    await asked;
    await erase(server.dir);
    await after(A_WHILE_MS);
    expect(handoverOf(server.pid)).toBeUndefined();
    reply({ action: 'accept', content: {} });
    expect(await call).toMatchObject({ cleared: true });
    await renewed(server.pid);
  });

  it('waits for the end of a message of which it has read the beginning', async () => {
    const server = await rawWithSecret();
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
    server.child.stdin!.write(line.slice(0, 20));
    await erase(server.dir);
    await after(A_WHILE_MS);
    expect(handoverOf(server.pid)).toBeUndefined();
    server.child.stdin!.write(line.slice(20));
    await server.answer(1);
    await renewed(server.pid);
  });

  it('waits for the end of the process that reads, also when it was put off before: no entry of it is left', async () => {
    const server = await rawWithSecret({ BEN10_LOG_LEVEL: 'debug' });
    const reading = Number(/is read by process (\d+)/.exec(server.stderr())?.[1]);
    process.kill(reading, 'SIGSTOP');
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
    server.child.stdin!.write(line.slice(0, 20));
    await erase(server.dir);
    await after(A_WHILE_MS);
    server.child.stdin!.write(line.slice(20));
    await server.answer(1);
    // Less than it is waited for.
    await after(600);
    expect(handoverOf(server.pid)).toBeUndefined();
    process.kill(reading, 'SIGCONT');
    await renewed(server.pid);
    expect(zombiesOf(server.pid)).toEqual([]);
  });

  it('stays as it is where another version was installed meanwhile', async () => {
    const dist = path.join(scratch(), 'dist');
    cpSync(path.dirname(SERVER), dist, { recursive: true });
    const program = path.join(dist, 'mcp.cjs');
    const server = await rawWithSecret({ BEN10_LOG_LEVEL: 'debug' }, program);
    utimesSync(program, 1, 1);
    await erase(server.dir);
    await expect.poll(() => server.stderr(), SOON).toContain('another version was installed');
    server.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await server.answer(1);
    expect(handoverOf(server.pid)).toBeUndefined();
  });

  it('ends with its client as ever', async () => {
    const server = await rawWithSecret();
    await erase(server.dir);
    await renewed(server.pid);
    server.send(toolCall(1, 'ben10_record', hookArgs('PreToolUse', 1)));
    await server.answer(1);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});

describe.runIf(!canRenew && process.platform !== 'win32')(
  'a server after an erasure, where Node cannot start it anew',
  () => {
    it('overwrites its memory once more when what was read before is answered late', async () => {
      const server = await rawWithSecret({ BEN10_LOG_LEVEL: 'debug' });
      const reading = Number(/is read by process (\d+)/.exec(server.stderr())?.[1]);
      const washed = () => server.stderr().split('memory was washed').length - 1;
      process.kill(reading, 'SIGSTOP');
      server.send(toolCall('late', 'ben10_log', { detail: 'data' }));
      await erase(server.dir);
      await expect.poll(washed, SIX_WASHES).toBe(6);
      await after(A_WHILE_MS);
      expect(washed()).toBe(6);
      process.kill(reading, 'SIGCONT');
      await server.answer('late');
      await expect.poll(washed, SIX_WASHES).toBe(12);
    });
  },
);
