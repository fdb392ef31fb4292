import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { devices, parseDevices } from '../../../src/workspace/collectors/devices.ts';
import { fixture, scratch } from '../fixtures.ts';
import { around, clean, has } from '../support.ts';

/** A port on which nobody listens, and then who asks for it first. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What an emulator is to adb's server: somebody who listens on the second port of a pair from 5555 on. */
async function emulator(): Promise<string | undefined> {
  for (let port = 5585; port > 5555; port -= 2) {
    const server = createServer((socket) => socket.on('error', () => undefined));
    const listens = await new Promise<boolean>((resolve) => {
      server.on('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!listens) continue;
    onTestFinished(() => void server.close());
    return `emulator-${port - 1}`;
  }
  return undefined;
}

describe.skipIf(!has('adb'))('the real adb (skipped where it is not installed)', () => {
  it('is asked for its devices, of a server that runs', async () => {
    const serial = await emulator();
    const port = await freePort();
    const dir = scratch();
    const env = { PATH: process.env.PATH ?? '', HOME: dir, ANDROID_ADB_SERVER_PORT: String(port) };
    execFileSync('adb', ['start-server'], { env, stdio: 'ignore' });
    onTestFinished(() => void execFileSync('adb', ['kill-server'], { env, stdio: 'ignore' }));
    const collect = () => devices.collect(around(dir, { env }));
    await expect
      .poll(collect, { timeout: 5000 })
      .toContainEqual({ serial, state: 'offline', type: 'adb' });
  });

  it('is not asked where its server does not run, for it would start one', async () => {
    const port = await freePort();
    const dir = scratch();
    const env = { PATH: process.env.PATH ?? '', HOME: dir, ANDROID_ADB_SERVER_PORT: String(port) };
    await devices.collect(around(dir, { env }));
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.on('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    onTestFinished(() => void server.close());
    expect(isFree).toBe(true);
  });
});

it.skipIf(!has('fastboot'))(
  'the real fastboot is asked, and finds none (skipped where it is not installed)',
  async () => {
    const dir = scratch();
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: dir,
      ANDROID_ADB_SERVER_PORT: String(await freePort()),
    };
    expect(await devices.collect(around(dir, { env }))).toEqual([]);
  },
);

describe('devices', () => {
  it('are not known where neither program is', async () => {
    expect(
      await devices.collect(around(scratch(), { env: { PATH: '/nonexistent' } })),
    ).toBeUndefined();
  });

  it('are read of what adb and fastboot print', () => {
    expect(parseDevices(fixture('adb-devices.txt'), 'adb', { clean })).toEqual([
      { serial: 'emulator-5554', state: 'offline', type: 'adb' },
    ]);
    // As its manual has it: no device could be had to record it.
    const listed =
      'ABC123\tfastboot\n????????????\tno permissions (missing udev rules?); see [http://x]\n';
    expect(parseDevices(listed, 'fastboot', { clean })).toEqual([
      { serial: 'ABC123', state: 'fastboot', type: 'fastboot' },
      { serial: '????????????', state: expect.stringMatching(/^no permissions/), type: 'fastboot' },
    ]);
  });
});
