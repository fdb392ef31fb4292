import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventsOf } from '../../mcp/support.ts';
import { scratch } from '../../support.ts';
import { ben10, json } from '../support.ts';

interface Context {
  containers: { name: string; runtime: string | null; state: string }[];
  devices: { serial: string; type: string }[];
  changes: { kind: string; name: string; from: string | null; to: string | null }[];
  notRecorded?: string[];
}

/** A project, and programs that print what they are told to, or fail. */
class Machine {
  readonly dir = path.join(scratch(), 'shop');
  readonly #bin = scratch();
  readonly #env: Record<string, string>;

  constructor(env: Record<string, string> = {}) {
    mkdirSync(path.join(this.dir, '.ben10'), { recursive: true, mode: 0o700 });
    this.#env = { PATH: `${this.#bin}:/usr/bin:/bin`, ...env };
    for (const program of ['docker', 'podman', 'adb', 'fastboot']) this.fails(program);
  }

  prints(program: string, text: string): void {
    writeFileSync(path.join(this.#bin, `${program}.out`), text);
    const script = `#!/bin/sh\ncat '${this.#bin}/${program}.out'\n`;
    writeFileSync(path.join(this.#bin, program), script, { mode: 0o755 });
  }

  fails(program: string): void {
    rmSync(path.join(this.#bin, program), { force: true });
    writeFileSync(path.join(this.#bin, program), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  }

  look(...args: string[]): Context {
    const result = ben10(this.dir, ['context', '--json', ...args], this.#env);
    expect(result).toMatchObject({ status: 0, stderr: '' });
    return json<Context>(result);
  }
}

const ofDocker = (...names: string[]): string =>
  names
    .map((Names) =>
      JSON.stringify({ ID: Names, Names, Image: 'a:1', State: 'running', Status: 'Up' }),
    )
    .join('\n');
const ofPodman = (...names: string[]): string =>
  JSON.stringify(
    names.map((one) => ({
      Id: one,
      Names: [one],
      Image: 'b:2',
      State: 'running',
      Status: 'Up 1 h',
    })),
  );
const namesOf = ({ containers }: Context) => containers.map(({ name }) => name);
const serialsOf = ({ devices }: Context) => devices.map(({ serial }) => serial);
const goneOf = ({ changes }: Context) =>
  changes.flatMap(({ name, to }) => (to === null ? [name] : []));
const PHONES = 'List of devices attached\nPHONE1\tdevice\n';

/** As adb's server, of which ben10 asks no more than whether it is there. */
async function listening(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as { port: number }).port);
}

describe('containers of two runtimes', () => {
  it.each([
    ['podman', 'pod'],
    ['docker', 'dock'],
  ])('are not gone where %s does not answer, and not shown', (silent, name) => {
    const machine = new Machine();
    machine.prints('docker', ofDocker('dock'));
    machine.prints('podman', ofPodman('pod'));
    expect(namesOf(machine.look())).toEqual(['dock', 'pod']);
    machine.fails(silent);
    const context = machine.look();
    expect(namesOf(context)).toEqual(['dock', 'pod'].filter((one) => one !== name));
    expect(context.changes).toEqual([]);
    // Other things of the kind change meanwhile, and are told.
    if (silent === 'podman') machine.prints('docker', ofDocker('dock', 'new'));
    else machine.prints('podman', ofPodman('pod', 'new'));
    expect(machine.look().changes).toMatchObject([{ name: 'new', from: null, to: 'running' }]);
    expect(namesOf(machine.look('--at', '@head'))).toContain(name);
    // It is gone once its own runtime says so.
    if (silent === 'podman') machine.prints('podman', ofPodman());
    else machine.prints('docker', ofDocker());
    expect(machine.look().changes.at(-1)).toMatchObject({ name, from: 'running', to: null });
  });

  it('are gone where their runtime is not asked any more', () => {
    const both = new Machine();
    both.prints('docker', ofDocker('dock'));
    both.prints('podman', ofPodman('pod'));
    both.look();
    both.fails('docker');
    const settings = { workspace: { containers: { runtime: 'podman' } } };
    writeFileSync(path.join(both.dir, '.ben10/config.json'), JSON.stringify(settings));
    expect(goneOf(both.look())).toEqual(['dock']);
  });

  it('are told at a point of the past by the runtime that they are of', () => {
    const machine = new Machine();
    machine.prints('docker', ofDocker('dock'));
    machine.prints('podman', ofPodman('pod'));
    const now = machine.look();
    const then = machine.look('--at', '@head');
    expect(then.containers).toEqual(now.containers);
    expect(then.containers).toMatchObject([
      { name: 'dock', runtime: 'docker', image: 'a:1' },
      { name: 'pod', runtime: 'podman', image: 'b:2', status: 'Up 1 h' },
    ]);
    expect(then.notRecorded).not.toContain('containers.runtime');
  });
});

describe('devices of two programs', () => {
  /** Where this machine is busy, adb's server may be found a look later. */
  const eventually = (look: () => unknown) => expect.poll(look, { timeout: 20_000 });

  it('are not gone where adb does not answer, and not shown', async () => {
    const machine = new Machine({ ANDROID_ADB_SERVER_PORT: await listening() });
    machine.prints('adb', PHONES);
    machine.prints('fastboot', 'BOOT1\tfastboot\n');
    await eventually(() => serialsOf(machine.look())).toEqual(['PHONE1', 'BOOT1']);
    machine.fails('adb');
    const context = machine.look();
    expect(serialsOf(context)).toEqual(['BOOT1']);
    expect(goneOf(context)).toEqual([]);
    machine.prints('fastboot', '');
    expect(goneOf(machine.look())).toEqual(['BOOT1']);
    machine.prints('adb', 'List of devices attached\n');
    await eventually(() => goneOf(machine.look())).toEqual(['BOOT1', 'PHONE1']);
  });

  it('are not gone where fastboot does not answer, and are in one place only', async () => {
    const machine = new Machine({ ANDROID_ADB_SERVER_PORT: await listening() });
    machine.prints('adb', PHONES);
    machine.prints('fastboot', 'BOOT1\tfastboot\n');
    await eventually(() => serialsOf(machine.look())).toEqual(['PHONE1', 'BOOT1']);
    machine.fails('fastboot');
    await eventually(() => serialsOf(machine.look())).toEqual(['PHONE1']);
    expect(goneOf(machine.look())).toEqual([]);
    // Started meanwhile, as adb says.
    machine.prints('adb', `${PHONES}BOOT1\tdevice\n`);
    await eventually(() => machine.look().changes.at(-1)).toMatchObject({
      name: 'BOOT1',
      from: 'fastboot',
      to: 'device',
    });
    const observed = eventsOf(machine.dir).filter(({ type }) => type === 'environment.observed');
    const { things } = observed.at(-1)!.data as { things: { name: string }[] };
    expect(things.filter(({ name }) => name === 'BOOT1')).toHaveLength(1);
  });
});
