/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventsOf } from '../../mcp/support.ts';
import { scratch } from '../../support.ts';
import { git, put, repository } from '../../workspace/support.ts';
import { here, json } from '../support.ts';

interface Context {
  repositories: { name: string; branch: string; changes: string | null }[];
  containers: { name: string; runtime: string | null; state: string }[];
  devices: { serial: string; type: string }[];
  tools: { name: string; version: string }[];
  changes: { kind: string; name: string; from: string | null; to: string | null }[];
  notRecorded?: string[];
}

const PROGRAMS = ['docker', 'podman', 'adb', 'fastboot'];

/** A project, and programs that print what they are told to, or fail. */
class Machine {
  readonly dir = path.join(scratch(), 'shop');
  readonly #bin = scratch();
  readonly #env: Record<string, string>;

  constructor(env: Record<string, string> = {}) {
    mkdirSync(path.join(this.dir, '.ben10'), { recursive: true, mode: 0o700 });
    this.#env = { PATH: `${this.#bin}:/usr/bin:/bin`, ...env };
    for (const program of PROGRAMS) this.fails(program);
  }

  prints(program: string, text: string): void {
    writeFileSync(path.join(this.#bin, `${program}.out`), text);
    const script = `#!/bin/sh\n/bin/cat '${this.#bin}/${program}.out'\n`;
    writeFileSync(path.join(this.#bin, program), script, { mode: 0o755 });
  }

  /** The real git, but for what it is asked in one folder. @param instead a shell command */
  git(folder: string, asked: string, instead: string): void {
    const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    const but = `*/${folder}:*' ${asked} '*) ${instead};;`;
    const script = `#!/bin/sh\ncase "$PWD:$*" in ${but} esac\nexec ${git} "$@"\n`;
    writeFileSync(path.join(this.#bin, 'git'), script, { mode: 0o755 });
  }

  hangs(program: string): void {
    const script = '#!/bin/sh\nsleep 20\n';
    writeFileSync(path.join(this.#bin, program), script, { mode: 0o755 });
  }

  fails(program: string): void {
    rmSync(path.join(this.#bin, program), { force: true });
    writeFileSync(path.join(this.#bin, program), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  }

  removes(program: string): void {
    rmSync(path.join(this.#bin, program));
  }

  /** With no program but its own. */
  alone(): void {
    this.#env.PATH = this.#bin;
  }

  set(workspace: object): void {
    writeFileSync(path.join(this.dir, '.ben10/config.json'), JSON.stringify({ workspace }));
  }

  /** The first look, as a point. */
  first(): string {
    return `@${eventsOf(this.dir).find(({ type }) => type === 'environment.observed')!.seq}`;
  }

  async text(...args: string[]): Promise<string> {
    return (await here(this.dir, ['context', ...args], this.#env)).stdout;
  }

  async look(...args: string[]): Promise<Context> {
    const result = await here(this.dir, ['context', '--json', ...args], this.#env);
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
  ])('are not gone where %s does not answer, and not shown', async (silent, name) => {
    const machine = new Machine();
    machine.prints('docker', ofDocker('dock'));
    machine.prints('podman', ofPodman('pod'));
    expect(namesOf(await machine.look())).toEqual(['dock', 'pod']);
    machine.fails(silent);
    const context = await machine.look();
    expect(namesOf(context)).toEqual(['dock', 'pod'].filter((one) => one !== name));
    expect(context.changes).toEqual([]);
    // Other things of the kind change meanwhile, and are told.
    if (silent === 'podman') machine.prints('docker', ofDocker('dock', 'new'));
    else machine.prints('podman', ofPodman('pod', 'new'));
    expect((await machine.look()).changes).toMatchObject([
      { name: 'new', from: null, to: 'running' },
    ]);
    expect(namesOf(await machine.look('--at', '@head'))).not.toContain(name);
    expect(namesOf(await machine.look('--at', machine.first()))).toContain(name);
    // It is gone once its own runtime says so.
    if (silent === 'podman') machine.prints('podman', ofPodman());
    else machine.prints('docker', ofDocker());
    expect((await machine.look()).changes.at(-1)).toMatchObject({
      name,
      from: 'running',
      to: null,
    });
  });

  it.each(['podman', 'none'])(
    'have not changed where %s is asked from now on, nor where all are asked again',
    async (runtime) => {
      const both = new Machine();
      both.prints('docker', ofDocker('dock'));
      both.prints('podman', ofPodman('pod'));
      await both.look();
      both.set({ containers: { runtime } });
      expect(await both.look()).toMatchObject({ changes: [] });
      expect(namesOf(await both.look('--at', '@head'))).toEqual(runtime === 'none' ? [] : ['pod']);
      both.set({});
      expect(namesOf(await both.look())).toEqual(['dock', 'pod']);
      expect((await both.look()).changes).toEqual([]);
      both.prints('docker', '');
      expect(goneOf(await both.look())).toEqual(['dock']);
    },
  );

  it('of which there are more than are recorded are not gone for that, nor new', async () => {
    const machine = new Machine();
    const many = Array.from({ length: 45 }, (_, index) => `c${10 + index}`);
    machine.prints('docker', ofDocker(...many));
    expect((await machine.look()).containers).toHaveLength(45);
    machine.prints('docker', ofDocker('b1', 'b2', ...many));
    expect((await machine.look()).changes).toEqual([]);
    // What is gone of those that were recorded is told, and what takes its place is not new.
    machine.prints('docker', ofDocker('b1', 'b2', ...many.slice(3)));
    expect((await machine.look()).changes.map(({ name, to }) => [name, to])).toEqual([
      ['c10', null],
      ['c11', null],
      ['c12', null],
    ]);
    machine.prints('docker', ofDocker(...many.slice(3, 30)));
    const { changes } = await machine.look();
    expect(changes.every(({ to }) => to === null)).toBe(true);
    machine.prints('docker', ofDocker('a1', ...many.slice(3, 30)));
    expect((await machine.look()).changes.at(-1)).toMatchObject({
      name: 'a1',
      from: null,
      to: 'running',
    });
  });

  it('are told at a point of the past by the runtime that they are of', async () => {
    const machine = new Machine();
    machine.prints('docker', ofDocker('dock'));
    machine.prints('podman', ofPodman('pod'));
    const now = await machine.look();
    const then = await machine.look('--at', '@head');
    expect(then.containers).toEqual(now.containers);
    expect(then.containers).toMatchObject([
      { name: 'dock', runtime: 'docker', image: 'a:1' },
      { name: 'pod', runtime: 'podman', image: 'b:2', status: 'Up 1 h' },
    ]);
    // For how long it was up nobody knows: it was looked at before.
    machine.prints('docker', ofDocker('dock').replace('"Up"', '"Up About an hour (healthy)"'));
    machine.prints('podman', ofPodman('new').replace('Up 1 h', 'Up 2 hours'));
    expect(await machine.text()).toContain(
      '- dock (Up About an hour (healthy))\n- new (Up 2 hours)\n',
    );
    expect(await machine.text('--at', '@head')).toContain('- dock (Up (healthy))\n- new (Up)\n');
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
    await eventually(async () => serialsOf(await machine.look())).toEqual(['PHONE1', 'BOOT1']);
    machine.fails('adb');
    const context = await machine.look();
    expect(serialsOf(context)).toEqual(['BOOT1']);
    expect(goneOf(context)).toEqual([]);
    expect(serialsOf(await machine.look('--at', '@head'))).toEqual(['BOOT1']);
    machine.prints('fastboot', '');
    expect(goneOf(await machine.look())).toEqual(['BOOT1']);
    machine.prints('adb', 'List of devices attached\n');
    await eventually(async () => goneOf(await machine.look())).toEqual(['BOOT1', 'PHONE1']);
  });

  it('are not told at a point where adb hangs, and those of fastboot are', async () => {
    const machine = new Machine({ ANDROID_ADB_SERVER_PORT: await listening() });
    machine.prints('adb', PHONES);
    await eventually(async () => serialsOf(await machine.look())).toEqual(['PHONE1']);
    machine.hangs('adb');
    machine.prints('fastboot', 'BOOT1\tfastboot\n');
    await eventually(async () => serialsOf(await machine.look())).toEqual(['BOOT1']);
    expect(goneOf(await machine.look())).toEqual([]);
    expect(serialsOf(await machine.look('--at', '@head'))).toEqual(['BOOT1']);
  });

  it('are not told at a point where neither program answered', async () => {
    const machine = new Machine({ ANDROID_ADB_SERVER_PORT: await listening() });
    machine.prints('adb', PHONES);
    await eventually(async () => serialsOf(await machine.look())).toEqual(['PHONE1']);
    machine.fails('adb');
    expect(goneOf(await machine.look())).toEqual([]);
    expect(serialsOf(await machine.look('--at', '@head'))).toEqual([]);
    expect(serialsOf(await machine.look('--at', machine.first()))).toEqual(['PHONE1']);
    machine.prints('adb', PHONES);
    await eventually(async () => serialsOf(await machine.look())).toEqual(['PHONE1']);
    expect(serialsOf(await machine.look('--at', '@head'))).toEqual(['PHONE1']);
    expect((await machine.look()).changes).toEqual([]);
  });

  it('are not gone where fastboot does not answer, and are in one place only', async () => {
    const machine = new Machine({ ANDROID_ADB_SERVER_PORT: await listening() });
    machine.prints('adb', PHONES);
    machine.prints('fastboot', 'BOOT1\tfastboot\n');
    await eventually(async () => serialsOf(await machine.look())).toEqual(['PHONE1', 'BOOT1']);
    machine.fails('fastboot');
    await eventually(async () => serialsOf(await machine.look())).toEqual(['PHONE1']);
    expect(goneOf(await machine.look())).toEqual([]);
    // Started meanwhile, as adb says.
    machine.prints('adb', `${PHONES}BOOT1\tdevice\n`);
    await eventually(async () => (await machine.look()).changes.at(-1)).toMatchObject({
      name: 'BOOT1',
      from: 'fastboot',
      to: 'device',
    });
    const observed = eventsOf(machine.dir).filter(({ type }) => type === 'environment.observed');
    const { things } = observed.at(-1)!.data as { things: { name: string }[] };
    expect(things.filter(({ name }) => name === 'BOOT1')).toHaveLength(1);
  });
});

// Git has a second for each look, which it does not always meet on a machine that is busy.
describe('several repositories', { retry: 2 }, () => {
  const reposOf = ({ repositories }: Context) =>
    repositories.map(({ name, branch, changes }) => [name, branch, changes]);
  function machineWith(...names: string[]): Machine {
    const machine = new Machine();
    for (const name of names) repository(path.join(machine.dir, name));
    return machine;
  }

  it.each([
    ['fails', 'exit 1'],
    ['hangs', 'sleep 20'],
  ])('are all told where git %s in one of them, and none is gone', async (_, instead) => {
    const machine = machineWith('a', 'b', 'c');
    put(path.join(machine.dir, 'b'), { 'a.txt': 'other' });
    await machine.look();
    machine.git('b', 'status', instead);
    const context = await machine.look();
    expect(context.changes).toEqual([]);
    expect(reposOf(context)).toEqual([
      ['a', 'main', ''],
      ['b', 'main', null],
      ['c', 'main', ''],
    ]);
    expect(reposOf(await machine.look('--at', '@head'))).toContainEqual(['b', 'main', '1M']);
    // The branch is in a file of its own.
    git(path.join(machine.dir, 'b'), 'checkout', '-q', '-b', 'other');
    expect((await machine.look()).changes).toMatchObject([
      { name: 'b', from: 'main', to: 'other' },
    ]);
    rmSync(path.join(machine.dir, 'b'), { recursive: true });
    expect(goneOf(await machine.look())).toEqual(['b']);
  });

  it('are not gone where nobody lists the worktrees, and not shown', async () => {
    const machine = machineWith('.');
    git(machine.dir, 'worktree', 'add', '-q', '-b', 'side', 'side');
    expect(reposOf(await machine.look())).toHaveLength(2);
    machine.git('shop', 'worktree', 'exit 1');
    const context = await machine.look();
    expect(reposOf(context)).toHaveLength(1);
    expect(context.changes).toEqual([]);
    expect(reposOf(await machine.look('--at', '@head'))).toHaveLength(1);
  });

  it('of which there are more than git is asked of are told by their branches, and none is gone', async () => {
    const names = Array.from({ length: 24 }, (_, index) => `r${10 + index}`);
    const machine = machineWith(...names);
    const repos = reposOf(await machine.look());
    // Of how many git is asked is held in the collector's own tests: a busy machine answers of fewer within their second.
    expect(repos[0]).toEqual(['r10', 'main', '']);
    expect(repos.slice(20)).toEqual(names.slice(20).map((name) => [name, 'main', null]));
    repository(path.join(machine.dir, 'a'));
    expect((await machine.look()).changes).toEqual([]);
    rmSync(path.join(machine.dir, 'r12'), { recursive: true });
    expect((await machine.look()).changes).toMatchObject([{ name: 'r12', to: null }]);
  }, 60_000);

  it('are not gone where the folder that they are in becomes one', async () => {
    const machine = machineWith('a', 'b');
    await machine.look();
    repository(machine.dir, { '.gitignore': '/a\n/b\n' });
    expect(goneOf(await machine.look())).toEqual([]);
    rmSync(path.join(machine.dir, 'b'), { recursive: true });
    expect(goneOf(await machine.look())).toEqual(['b']);
  });

  it('have not changed where git is not asked any more, nor where it is asked again', async () => {
    const machine = machineWith('a', 'b');
    await machine.look();
    machine.set({ git: { enabled: false } });
    expect(await machine.look()).toMatchObject({ repositories: [], changes: [] });
    expect(reposOf(await machine.look('--at', '@head'))).toEqual([]);
    git(path.join(machine.dir, 'a'), 'checkout', '-q', '-b', 'meanwhile');
    machine.set({});
    expect((await machine.look()).changes).toEqual([]);
    git(path.join(machine.dir, 'b'), 'checkout', '-q', '-b', 'other');
    expect((await machine.look()).changes).toMatchObject([{ name: 'b', to: 'other' }]);
  });
});

describe('versions of tools', () => {
  const toolsOf = ({ tools }: Context) => tools.map(({ name, version }) => [name, version]);

  it('are told though one of them hangs, which is not gone, and is where its program is', async () => {
    const machine = new Machine();
    put(machine.dir, { 'go.mod': '', 'pom.xml': '' });
    machine.prints('go', 'go version go1.24.1 linux/amd64\n');
    machine.prints('java', 'openjdk 21.0.2 2024-01-16\n');
    const both = [
      ['go', '1.24.1'],
      ['java', '21.0.2'],
    ];
    expect(toolsOf(await machine.look())).toEqual(both);
    machine.hangs('java');
    expect(toolsOf(await machine.look())).toEqual(both.slice(0, 1));
    expect((await machine.look()).changes).toEqual([]);
    machine.prints('java', 'openjdk 21.0.2 2024-01-16\n');
    expect(toolsOf(await machine.look())).toEqual(both);
    // A broken shim of a version manager.
    machine.fails('java');
    expect(toolsOf(await machine.look())).toEqual(both.slice(0, 1));
    expect((await machine.look()).changes).toEqual([]);
    machine.alone();
    machine.removes('java');
    expect((await machine.look()).changes).toMatchObject([
      { name: 'java', from: '21.0.2', to: null },
    ]);
  });
});
