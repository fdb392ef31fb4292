import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SUPERVISED } from '../../src/hook/serving.ts';
import { ben10 } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { familyOf, isAlive, isSupervised, killServer, programOf, serverOf } from './processes.ts';
import {
  eventsOf,
  hookArgs,
  INITIALIZE,
  linesOf,
  type RawServer,
  rawServer,
  SERVE,
  toolCall,
  toolUseIds,
} from './support.ts';

const SECRET = 'kanari-4711-vogel';
const SOON = { timeout: 60_000, interval: 20 };

/** A server that has answered, and its two processes. */
async function served(options: { env?: Record<string, string>; command?: string[] } = {}) {
  const server = rawServer(scratch(), options);
  server.send(INITIALIZE);
  await server.answer('init');
  const supervisor = server.child.pid!;
  return { ...server, supervisor, pid: serverOf(supervisor)! };
}

/** An environment in which every Node of a server runs this first. */
function preloaded(script: string): Record<string, string> {
  const file = path.join(scratch(), 'first.cjs');
  writeFileSync(file, script);
  return { NODE_OPTIONS: `--require=${file}` };
}

/** A server that is to forget something, until the next one serves. */
async function renewed(server: Pick<RawServer, 'dir'>, supervisor: number): Promise<void> {
  const before = programOf(supervisor);
  expect(ben10(server.dir, ['erase', '--pattern', SECRET, '--yes']).status).toBe(0);
  await expect.poll(() => [undefined, before].includes(programOf(supervisor)), SOON).toBe(false);
}

const recordSecret = toolCall(
  'secret',
  'ben10_record',
  hookArgs('UserPromptSubmit', 0, { prompt: `the key is ${SECRET}` }),
);

describe.runIf(isSupervised)('a server under its supervisor', () => {
  it('is one process for its client, which it tells of as its own', async () => {
    const server = await served();
    server.send(toolCall(1, 'ben10_status', {}));
    expect(await server.answer(1)).toMatchObject({
      result: { structuredContent: { server: { pid: server.supervisor } } },
    });
    expect(server.pid).not.toBe(server.supervisor);
  });

  it.each(['SIGKILL', 'SIGSEGV', 'SIGTERM'] as const)(
    'that dies of %s is not started again: the supervisor ends alike',
    async (signal) => {
      // A signal that the server has a handler for ends it as its client's going does.
      const server = await served();
      process.kill(server.pid, signal);
      expect(await server.ended).toBe(signal === 'SIGTERM' ? 0 : signal);
      expect(isAlive(server.supervisor)).toBe(false);
    },
  );

  it.each([7, 75])('that ends with code %d by itself is not started again', async (code) => {
    const env = preloaded(
      `if (process.argv[2] === '${SUPERVISED}') setTimeout(() => process.exit(${code}), 1000);`,
    );
    const server = await served({ env });
    expect(await server.ended).toBe(code);
  });

  it('ends when its supervisor was killed, and loses nothing that it acknowledged', {
    tags: 'long',
  }, async () => {
    const server = await served();
    server.send(toolCall(1, 'ben10_record', hookArgs('PreToolUse', 1)));
    await server.answer(1);
    process.kill(server.supervisor, 'SIGKILL');
    await expect.poll(() => isAlive(server.pid), SOON).toBe(false);
    expect(await server.ended).toBe('SIGKILL');
    expect(toolUseIds(eventsOf(server.dir), 'tool.called')).toEqual(['toolu_1']);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends with %s to its supervisor, also before it has begun to listen',
    async (signal) => {
      const server = rawServer(scratch());
      await expect.poll(() => serverOf(server.child.pid!), { ...SOON, interval: 1 }).toBeDefined();
      const pid = serverOf(server.child.pid!)!;
      server.child.kill(signal);
      expect(await server.ended).toBe(0);
      expect(isAlive(pid)).toBe(false);
    },
  );

  it('that hangs is ended with the signal that ends its supervisor', {
    tags: 'long',
  }, async () => {
    const server = await served();
    process.kill(server.pid, 'SIGSTOP');
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe('SIGKILL');
    expect(isAlive(server.pid)).toBe(false);
  });

  it('ends with stdin, also after it was renewed, and its supervisor with it', {
    tags: 'long',
  }, async () => {
    const server = await served();
    server.send(recordSecret);
    await server.answer('secret');
    await renewed(server, server.supervisor);
    const pid = serverOf(server.supervisor)!;
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
    expect([server.supervisor, pid].filter(isAlive)).toEqual([]);
  });

  it('believes nothing that its environment says of a server before it', async () => {
    const counts = { startedAt: 1, recordCounts: { recorded: 99 }, readOnly: false };
    const left = { canAsk: false, watched: { uris: [], stamp: '' }, hasAppended: true, counts };
    // Whoever wrote it guessed right which process it would be.
    const script = `process.env.BEN10_HANDOVER = JSON.stringify({ pid: process.pid, ...${JSON.stringify(left)} });`;
    const server = await served({ env: preloaded(script) });
    server.send(toolCall(1, 'ben10_status', {}));
    const own = { structuredContent: { server: { events: { recorded: 0 } } } };
    expect(await server.answer(1)).toMatchObject({ result: own });
  });

  it('serves in the process that the client started where no other can be, and says that it cannot forget', {
    tags: 'long',
  }, async () => {
    const env = preloaded(
      "if (process.argv[2] === 'serve') Object.defineProperty(process, 'execPath', { value: '/nowhere/node' });",
    );
    const server = rawServer(scratch(), { env });
    server.send(INITIALIZE, recordSecret);
    await server.answer('secret');
    expect(familyOf(server.child.pid!)).toEqual([server.child.pid!]);
    expect(ben10(server.dir, ['erase', '--pattern', SECRET, '--yes']).status).toBe(0);
    await expect
      .poll(() => server.stderr(), SOON)
      .toContain('may still be in the memory of this server');
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  it('ends with a word when the next one cannot be started', { tags: 'long' }, async () => {
    const env = preloaded(`
      if (process.argv[2] === 'serve') setTimeout(() => {
        Object.defineProperty(process, 'execPath', { value: '/nowhere/node' });
      }, 100);`);
    const server = await served({ env });
    await after(200);
    server.send(recordSecret);
    await server.answer('secret');
    expect(ben10(server.dir, ['erase', '--pattern', SECRET, '--yes']).status).toBe(0);
    expect(await server.ended).toBe(1);
    expect(server.stderr()).toContain('no process can be started');
  });

  it('gets the profile that was asked for', async () => {
    const server = await served({ command: [...SERVE, '--profile', 'all'] });
    const command = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').split('\0');
    expect(command.slice(1, -1)).toEqual([SERVE[0], SUPERVISED, 'all']);
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('what a client gives a server as stdin', () => {
  /** A client that has nothing but a file descriptor. */
  function onStdin(stdin: number | 'pipe', more: 'ipc'[] = []) {
    const dir = scratch();
    const env = { PATH: process.env.PATH, HOME: `${dir}/no-home`, CLAUDE_PROJECT_DIR: dir };
    const child = spawn(process.execPath, SERVE, {
      cwd: dir,
      env,
      stdio: [stdin, 'pipe', 'inherit', ...more],
    });
    onTestFinished(() => killServer(child.pid!));
    let stdout = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const ended = new Promise<number | null>((end) => child.on('close', end));
    return { child, dir, pid: child.pid!, ended, ids: () => linesOf(stdout).map(({ id }) => id) };
  }

  it('may be a pipe: it starts anew, and reads on what was written meanwhile', {
    tags: 'long',
  }, async () => {
    const fifo = path.join(scratch(), 'in');
    const made = spawn('mkfifo', [fifo]);
    await new Promise((end) => made.on('close', end));
    const [reads, writes] = [constants.O_RDONLY | constants.O_NONBLOCK, constants.O_WRONLY];
    const stdin = openSync(fifo, reads);
    const client = openSync(fifo, writes);
    const send = (...messages: object[]) =>
      writeSync(client, messages.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const server = onStdin(stdin);
    closeSync(stdin);
    send(INITIALIZE, recordSecret);
    await expect.poll(server.ids, SOON).toEqual(['init', 'secret']);
    let n = 0;
    const asking = setInterval(() => {
      send({ jsonrpc: '2.0', id: n, method: 'ping' });
      n += 1;
    }, 5);
    onTestFinished(() => clearInterval(asking));
    const before = programOf(server.pid);
    ben10(server.dir, ['erase', '--pattern', SECRET, '--yes']);
    await expect.poll(() => [undefined, before].includes(programOf(server.pid)), SOON).toBe(false);
    clearInterval(asking);
    const numbers = Array.from({ length: n }, (_, one) => one);
    await expect.poll(server.ids, SOON).toEqual(['init', 'secret', ...numbers]);
    closeSync(client);
    expect(await server.ended).toBe(0);
  });

  it('may stand beside a channel of the client’s own, which is not taken for a supervisor’s', {
    tags: 'long',
  }, async () => {
    const server = onStdin('pipe', ['ipc']);
    const send = (one: object) => server.child.stdin!.write(`${JSON.stringify(one)}\n`);
    const next = () =>
      familyOf(server.pid).find((one) =>
        readFileSync(`/proc/${one}/cmdline`, 'utf8').includes(SUPERVISED),
      );
    server.child.send({ handover: { canAsk: true } });
    send(INITIALIZE);
    send(recordSecret);
    await expect.poll(server.ids, SOON).toEqual(['init', 'secret']);
    const before = next();
    ben10(server.dir, ['erase', '--pattern', SECRET, '--yes']);
    await expect.poll(() => [undefined, before].includes(next()), SOON).toBe(false);
    send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await expect.poll(server.ids, SOON).toEqual(['init', 'secret', 1]);
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
  });

  it('may be a file: all of it is answered, and that is the end', async () => {
    const file = path.join(scratch(), 'in');
    const asked = Array.from({ length: 200 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const lines = [INITIALIZE, recordSecret, ...asked].map((one) => `${JSON.stringify(one)}\n`);
    writeFileSync(file, lines.join(''));
    const stdin = openSync(file, 'r');
    const server = onStdin(stdin);
    closeSync(stdin);
    expect(await server.ended).toBe(0);
    expect(new Set(server.ids())).toEqual(
      new Set(['init', 'secret', ...asked.map(({ id }) => id)]),
    );
  });
});
