import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  fromLsof,
  listening,
  parseLsof,
  servers,
} from '../../../src/workspace/collectors/servers.ts';
import { fixture, scratch } from '../fixtures.ts';
import { around } from '../support.ts';

/** A server of a process that was started in that folder. */
async function serve(cwd: string, host: string): Promise<{ port: number; stop(): Promise<void> }> {
  const program = `const s = require('http').createServer(); s.listen(0, '${host}', () => console.log(s.address().port))`;
  const child = spawn(process.execPath, ['-e', program], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [text] = await once(child.stdout, 'data');
  return {
    port: Number(String(text)),
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

describe.skipIf(process.platform !== 'linux')('dev servers', () => {
  it('are what listens on a port and was started in the project, by its port', async () => {
    const [dir, other] = [scratch(), scratch()];
    const one = await serve(dir, '127.0.0.1');
    const two = await serve(dir, '::');
    const theirs = await serve(other, '127.0.0.1');
    const ports = async () => (await servers.collect(around(dir)))!.map(({ port }) => port);
    expect(await servers.collect(around(dir))).toContainEqual({
      port: one.port,
      program: expect.stringMatching(/node|MainThread/),
    });
    expect(await ports()).toEqual([one.port, two.port].sort((a, b) => a - b));
    expect(await ports()).not.toContain(theirs.port);
    await one.stop();
    expect(await ports()).toEqual([two.port]);
  });
});

it('a table of sockets has the ports of those that listen', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:13AD 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0 100 0 0 10 0
   1: 0100007F:D2F0 0100007F:13AD 01 00000000:00000000 00:00000000 00000000     0        0 222 1 0 100 0 0 10 0
   2: 00000000000000000000000000000000:0BB8 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 333 1 0
`;
  expect(listening(table)).toEqual([
    ['111', 5037],
    ['333', 3000],
  ]);
  expect(listening('')).toEqual([]);
});

it('are not known where lsof fails, also where it fails the second time that it is asked', async () => {
  const asked = (...answers: (string | undefined)[]) =>
    fromLsof({ dir: '/app', run: () => Promise.resolve(answers.shift()) });
  const ports = 'p12\ncnode\nn127.0.0.1:3000\n';
  expect(await asked(undefined)).toBeUndefined();
  expect(await asked(ports, undefined)).toBeUndefined();
  expect(await asked('')).toEqual([]);
  expect(await asked(ports, 'p12\ncnode\nn/app\n')).toEqual([
    { port: 3000, program: 'node', cwd: '/app' },
  ]);
});

it('what lsof prints is read, for systems that have no such tables', () => {
  expect(parseLsof(fixture('lsof-listen.txt'))).toEqual([
    { pid: expect.stringMatching(/^\d+$/), program: 'node', name: '127.0.0.1:38123' },
  ]);
});
