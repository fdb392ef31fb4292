/** @module-tag long */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BUDGET_TOKENS_MIN } from '../../src/timetravel/restore.ts';
import { ben10, json } from '../cli/support.ts';
import { LiveSession } from '../hook/live-session.ts';
import { call, connect, textOf } from '../mcp/support.ts';
import { scratch } from '../support.ts';

/** Of every file and folder of a project outside of `.ben10`: what is in it and when it changed, nanoseconds. */
function filesOf(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const own = names.filter((name) => name !== '.ben10' && !name.startsWith(`.ben10${path.sep}`));
  const found = own.map((name) => {
    const file = path.join(dir, name);
    const { mode, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    const content = statSync(file).isDirectory() ? 'folder' : readFileSync(file, 'utf8');
    return [name, [mode, mtimeNs, ctimeNs, content].join(' ')];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

const OLD = new Date('2026-01-02T03:04:05Z');

/** A project that is not any more as its session left it: one file is another, one is gone, one was added. */
async function changedSince(): Promise<{ dir: string; snapshot: string }> {
  const dir = scratch();
  mkdirSync(path.join(dir, 'src'));
  const session = new LiveSession(dir);
  await session.start();
  await session.prompt('Write two parts.');
  session.write('src/changed.ts', 'export const part = 1;\n');
  session.write('src/deleted.ts', 'export const other = 1;\n');
  session.say('Both are written.');
  await session.stop();
  expect(ben10(dir, ['save', 'before']).status).toBe(0);
  await session.hook('PreCompact', { trigger: 'manual' });
  await session.end();
  writeFileSync(path.join(dir, 'src/changed.ts'), 'export const part = 2;\n');
  rmSync(path.join(dir, 'src/deleted.ts'));
  writeFileSync(path.join(dir, 'src/added.ts'), '');
  for (const name of ['src/changed.ts', 'src/added.ts', 'src'])
    utimesSync(path.join(dir, name), OLD, OLD);
  const { snapshots } = json<{ snapshots: [{ id: string }] }>(
    ben10(dir, ['snapshot', 'list', '--json']),
  );
  return { dir, snapshot: snapshots[0].id };
}

test.each([
  ['a summary', []],
  ['the smallest summary', ['--budget', String(BUDGET_TOKENS_MIN)]],
  ['all of it', ['--full']],
  ['its files alone', ['--only', 'files']],
])('a restore of %s by command gives text, and touches no file of the project', async (_, how) => {
  const { dir, snapshot } = await changedSince();
  const before = filesOf(dir);
  for (const point of [[], ['@save:before'], ['@-1'], [`@snapshot:${snapshot}`]]) {
    const given = ben10(dir, ['restore', ...point, ...how]);
    expect(given.status, given.stderr).toBe(0);
    expect(given.stdout).toMatch(/recorded text/);
  }
  expect(filesOf(dir)).toEqual(before);
});

test('a restore of a snapshot by command touches none, either', async () => {
  const { dir, snapshot } = await changedSince();
  const before = filesOf(dir);
  const given = ben10(dir, ['snapshot', 'restore', snapshot]);
  expect(given.stdout).toContain('changed.ts');
  expect(filesOf(dir)).toEqual(before);
});

test('a restore by the tools of the server gives text, and touches no file of the project', async () => {
  const { dir, snapshot } = await changedSince();
  const before = filesOf(dir);
  const server = await connect(dir);
  const ways = [
    {},
    { budget: BUDGET_TOKENS_MIN },
    { mode: 'full' },
    { mode: 'selective', parts: ['files'] },
  ];
  for (const way of ways)
    for (const point of [
      {},
      { name: 'before' },
      { point: '@-1' },
      { point: `@snapshot:${snapshot}` },
    ]) {
      const answer = await call(server, 'ben10_restore', { ...way, ...point });
      expect(answer.isError, textOf(answer)).toBeFalsy();
    }
  const answer = await call(server, 'ben10_snapshot_restore', { id: snapshot });
  expect(textOf(answer)).toContain('changed.ts');
  await server.client.close();
  expect(filesOf(dir)).toEqual(before);
});
