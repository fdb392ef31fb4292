import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EnvironmentThing } from '../../../src/events/types.ts';
import {
  containers,
  parseContainers,
  UNREACHABLE,
} from '../../../src/workspace/collectors/containers.ts';
import { fixture, scratch } from '../fixtures.ts';
import { around, clean, has } from '../support.ts';

/** Podman with a storage of its own, in which one container was made that never ran: none of ours may run here. */
function podmanWith(name: string): { dir: string; env: Record<string, string> } {
  const dir = scratch();
  const conf = path.join(dir, 'storage.conf');
  const storage = `[storage]\ndriver = "vfs"\ngraphroot = "${dir}/graph"\nrunroot = "${dir}/run"\n`;
  writeFileSync(conf, storage);
  mkdirSync(path.join(dir, 'rootfs'));
  const env = { PATH: process.env.PATH ?? '', HOME: dir, CONTAINERS_STORAGE_CONF: conf };
  const args = [
    'create',
    '--name',
    name,
    '--network',
    'none',
    '--rootfs',
    `${dir}/rootfs`,
    '/bin/sh',
  ];
  execFileSync('podman', args, { env, stdio: 'pipe' });
  return { dir, env };
}

/** Whether podman works here at all; `podman --version` says too little. */
function podmanWorks(): boolean {
  if (!has('podman')) return false;
  try {
    execFileSync('podman', ['info'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const collect = (
  dir: string,
  env: Record<string, string>,
  runtime: 'auto' | 'docker' | 'podman' | 'none',
) => {
  const given = around(dir, { env });
  given.settings.containers.runtime = runtime;
  return containers.collect(given);
};

describe('a docker whose daemon is gone', () => {
  /** The real program's answers without a daemon. */
  const clientAlone = (dir: string): Record<string, string> => {
    const program = path.join(dir, 'docker');
    const script = `#!/bin/sh
case "$1" in
  --version) echo 'Docker version 27.3.1, build ce12230' ;;
  *) echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.' >&2; exit 1 ;;
esac
`;
    writeFileSync(program, script, { mode: 0o755 });
    return { PATH: `${dir}:/usr/bin:/bin` };
  };
  const collectAfter = (env: Record<string, string>, dir: string, things: EnvironmentThing[]) => {
    const worktree = { things, kinds: ['container'], changes: [], work: null } as never;
    const given = around(dir, { env, recorded: () => ({ worktree, contexts: [] }) });
    given.settings.containers.runtime = 'docker';
    return containers.collect(given);
  };
  const db = {
    kind: 'container',
    name: 'db',
    state: 'running',
    detail: 'Up 3 hours · postgres:16',
  };
  const old = { kind: 'container', name: 'old', state: 'exited', detail: 'Exited (0) · alpine' };

  it('leaves what ran unreachable, and what had ended as it was', async () => {
    const dir = scratch();
    const found = await collectAfter(clientAlone(dir), dir, [db, old]);
    expect(found).toEqual([
      { name: 'db', image: 'postgres:16', state: UNREACHABLE, status: '', runtime: 'docker' },
      { name: 'old', image: 'alpine', state: 'exited', status: 'Exited (0)', runtime: 'docker' },
    ]);
    const again = await collectAfter(clientAlone(dir), dir, [{ ...db, state: UNREACHABLE }]);
    expect(again).toMatchObject([{ name: 'db', state: UNREACHABLE }]);
  });

  it('says nothing where nothing ran, and where the program is gone as well', async () => {
    const dir = scratch();
    expect(await collectAfter(clientAlone(dir), dir, [old])).toBeUndefined();
    expect(await collectAfter({ PATH: '/nonexistent' }, dir, [db])).toBeUndefined();
  });
});

describe.skipIf(!podmanWorks())('the real podman (skipped where it is not installed)', () => {
  it('is asked for its containers', async () => {
    const { dir, env } = podmanWith('made');
    expect(await collect(dir, env, 'podman')).toEqual([
      { name: 'made', image: '', state: 'created', status: 'Created', runtime: 'podman' },
    ]);
    execFileSync('podman', ['rm', 'made'], { env, stdio: 'pipe' });
    expect(await collect(dir, env, 'podman')).toEqual([]);
  });

  it.skipIf(!has('docker'))(
    'answers the real docker client, which is asked in its own way',
    async () => {
      const { dir, env } = podmanWith('served');
      const socket = path.join(dir, 's');
      const service: ChildProcess = spawn(
        'podman',
        ['system', 'service', '--time', '0', `unix://${socket}`],
        { env, stdio: 'ignore' },
      );
      onTestFinished(() => void service.kill('SIGKILL'));
      await expect.poll(() => existsSync(socket), { timeout: 10_000 }).toBe(true);
      const both = { ...env, DOCKER_HOST: `unix://${socket}` };
      expect(await collect(dir, both, 'docker')).toMatchObject([
        { name: 'served', state: 'created', status: 'Created', runtime: 'docker' },
      ]);
      // Both tell of the same container: it is one.
      expect(await collect(dir, both, 'auto')).toHaveLength(1);
    },
  );
});

describe('containers', () => {
  it('are not known where no program answers, and none where nobody is to be asked', async () => {
    const dir = scratch();
    expect(await collect(dir, { PATH: '/nonexistent' }, 'auto')).toBeUndefined();
    expect(await collect(dir, { PATH: '/nonexistent' }, 'none')).toEqual([]);
  });

  it.skipIf(!has('docker'))(
    'are not known where the real docker client finds no daemon',
    async () => {
      const dir = scratch();
      const env = { PATH: process.env.PATH ?? '', HOME: dir, DOCKER_HOST: `unix://${dir}/none` };
      expect(await collect(dir, env, 'docker')).toBeUndefined();
    },
  );

  it('are read of what docker and podman print', () => {
    expect(parseContainers(fixture('docker-ps.jsonl'), 'docker', { clean })).toMatchObject([
      { id: 'b08353afd833', name: 'made', state: 'created', status: 'Created', runtime: 'docker' },
    ]);
    expect(parseContainers(fixture('podman-ps.json'), 'podman', { clean })).toMatchObject([
      { id: 'b08353afd833', name: 'made', state: 'created', status: 'Created', runtime: 'podman' },
    ]);
  });

  it('have clean names, and whatever else is in the answer does no harm', () => {
    const odd = JSON.stringify([
      {
        Id: 1,
        Names: ['a\u001b]0;x\u0007b\n# c'],
        Image: null,
        State: 'RUNNING',
        Status: 'x'.repeat(500),
      },
      null,
      'text',
    ]);
    const [only, ...others] = parseContainers(odd, 'podman', { clean });
    expect(others).toEqual([]);
    expect(only).toMatchObject({ name: 'ab # c', image: '', state: 'running' });
    expect(only!.status.length).toBeLessThanOrEqual(61);
    expect(() => parseContainers('{"a":', 'docker', { clean })).toThrow();
  });
});
