/** @module-tag long */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { PROGRAM } from '../cli/support.ts';
import { openTestProject, scratch } from '../support.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';
import { familyOf, programOf, zombiesOf } from './processes.ts';
import { prompt, SESSION } from './session.ts';
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
  SERVE,
  textOf,
  toolCall,
  toolUseIds,
} from './support.ts';

const SECRET = 'kanari-4711-vogel';
/** Longer than it takes a server to notice, on a machine that is busy, too. */
const SOON = { timeout: 60_000, interval: 50 };
/** In which one that could start anew would have done so. */
const A_WHILE_MS = 3000;

/** In a process of its own, while this one goes on. */
const erase = (dir: string, pattern = SECRET) =>
  promisify(execFile)(process.execPath, [PROGRAM, 'erase', '--pattern', pattern, '--yes'], {
    cwd: dir,
  });

/** Until another program serves than that which is told. */
const renewed = (pid: number, before: string | undefined) =>
  expect.poll(() => [undefined, before].includes(programOf(pid)), SOON).toBe(false);

/** A server that recorded something to erase, spoken to in lines. */
async function rawWithSecret(env: Record<string, string> = {}, command = SERVE) {
  const server = rawServer(scratch(), { env, command });
  const secret = { prompt: `the key is ${SECRET}` };
  server.send(
    INITIALIZE,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    toolCall('secret', 'ben10_record', hookArgs('UserPromptSubmit', 0, secret)),
    toolCall('read', 'ben10_log', { detail: 'data' }),
  );
  expect(JSON.stringify(await server.answer('read'))).toContain(SECRET);
  const pid = server.child.pid!;
  return { ...server, pid, program: programOf(pid) };
}

/** The same with the SDK's client, whose user answers so. */
async function withSecret(answer: () => Promise<ElicitResult>) {
  const server = await connect(scratch(), {}, answer);
  await prompt(server, 1, `the key is ${SECRET}`);
  return { ...server, program: programOf(server.pid) };
}

/** Ids of all answers, one for each. */
const answered = (server: Pick<RawServer, 'stdout'>): unknown[] =>
  linesOf(server.stdout()).map(({ id }) => id);

describe.runIf(process.platform === 'linux')('a server after an erasure', () => {
  it('starts anew, and answers once what is asked around it', async () => {
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
    await renewed(server.pid, server.program);
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
    const before = programOf(server.pid);
    await erase(project.dir, 'todo');
    await renewed(server.pid, before);
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
    await renewed(server.pid, server.program);
    // Nothing of a session is in what anybody can see of a process.
    for (const pid of familyOf(server.pid))
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('kanari');
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
    const second = programOf(server.pid);
    await erase(server.dir, 'heron-5');
    await renewed(server.pid, second);
    await dataOf(server, 'ben10_clear');
    expect(questions).toEqual([1, 1]);
    expect(told).toEqual([]);
    takeSnapshot(openTestProject(server.dir), { session: SESSION, trigger: 'threshold' });
    await expect.poll(() => told, SOON).toContain('ben10://snapshots');
    expect(told).not.toContain('ben10://context');
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
    expect(programOf(server.pid)).toBe(server.program);
    reply({ action: 'accept', content: {} });
    expect(await call).toMatchObject({ cleared: true });
    await renewed(server.pid, server.program);
  });

  it('waits for the end of a message of which it has read the beginning', async () => {
    const server = await rawWithSecret();
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
    server.child.stdin!.write(line.slice(0, 20));
    await erase(server.dir);
    await after(A_WHILE_MS);
    expect(programOf(server.pid)).toBe(server.program);
    server.child.stdin!.write(line.slice(20));
    await server.answer(1);
    await renewed(server.pid, server.program);
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
    expect(programOf(server.pid)).toBe(server.program);
    process.kill(reading, 'SIGCONT');
    await renewed(server.pid, server.program);
    expect(familyOf(server.pid).flatMap(zombiesOf)).toEqual([]);
  });

  it('stays as it is where another version was installed meanwhile, and says once what to do', async () => {
    const dist = path.join(scratch(), 'dist');
    cpSync(path.dirname(SERVE[0]!), dist, { recursive: true });
    const server = await rawWithSecret({}, [path.join(dist, 'ben10.cjs'), 'serve']);
    utimesSync(path.join(dist, 'mcp.cjs'), 1, 1);
    await erase(server.dir);
    await expect.poll(() => server.stderr(), SOON).toContain('another version was installed');
    server.send(
      toolCall(1, 'ben10_record', hookArgs('UserPromptSubmit', 1, { prompt: 'heron-5' })),
    );
    await server.answer(1);
    await erase(server.dir, 'heron-5');
    await after(A_WHILE_MS);
    server.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await server.answer(2);
    expect(programOf(server.pid)).toBe(server.program);
    expect(server.stderr().trim().split('\n')).toEqual([
      expect.stringMatching(/may still be in the memory of this server.*Restart the client/),
    ]);
  });

  it('says once that the system starts no program, and tries again until it does', async () => {
    const first = path.join(scratch(), 'first.cjs');
    const isGone = `${first}.gone`;
    writeFileSync(
      first,
      `const { execPath } = process;
      const isServer = process.argv.some((one) => one.includes('serve'));
      if (isServer) Object.defineProperty(process, 'execPath', {
        get: () => require('node:fs').existsSync('${isGone}') ? '/nowhere/node' : execPath,
      });`,
    );
    const server = await rawWithSecret({ NODE_OPTIONS: `--require=${first}` });
    writeFileSync(isGone, '');
    await erase(server.dir);
    await expect.poll(() => server.stderr(), SOON).toContain('/nowhere/node ENOENT');
    await after(A_WHILE_MS);
    expect(programOf(server.pid)).toBe(server.program);
    expect(server.stderr().trim().split('\n')).toHaveLength(1);
    rmSync(isGone);
    await renewed(server.pid, server.program);
  });

  it('starts anew also under a client that never stops asking', async () => {
    const server = await rawWithSecret();
    let n = 0;
    let isOver = false;
    // Two of each are on their way at any time.
    const asking = async (request: (id: number) => object) => {
      const next = async () => {
        while (!isOver) {
          const id = n;
          n += 1;
          server.send(request(id));
          await server.answer(id);
        }
      };
      await Promise.all([next(), next()]);
    };
    const asked = Promise.all([
      asking((id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
      asking((id) => toolCall(id, 'ben10_record', hookArgs('PreToolUse', id))),
      asking((id) => toolCall(id, 'ben10_log', { limit: 1 })),
    ]);
    await erase(server.dir);
    await renewed(server.pid, server.program);
    isOver = true;
    await asked;
    expect(answered(server)).toHaveLength(n + 3);
    expect(new Set(answered(server)).size).toBe(n + 3);
    expect(linesOf(server.stdout()).filter((message) => 'error' in message)).toEqual([]);
  });

  it('ends with its client as ever', async () => {
    const server = await rawWithSecret();
    await erase(server.dir);
    await renewed(server.pid, server.program);
    server.send(toolCall(1, 'ben10_record', hookArgs('PreToolUse', 1)));
    await server.answer(1);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});
