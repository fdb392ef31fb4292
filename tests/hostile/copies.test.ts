/** @module-tag long */
import { execFileSync, spawnSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { type Manifest, readManifest } from '../../src/journal/format/manifest.ts';
import { here, json, lines } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { realPorts, scratch } from '../support.ts';

const READER = path.resolve(import.meta.dirname, '../../journal-format/reader.mjs');

const hook = async (dir: string, id: string) => {
  const run = await runHook(dir, 'PreToolUse', { ...toolCall(id), hook_event_name: 'PreToolUse' });
  expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' });
};
const manifestOf = (dir: string): Manifest =>
  readManifest(realPorts, layoutOf(path.join(dir, '.ben10')))!;
const typesOf = async (dir: string) =>
  lines<{ seq: number; type: string }>(await here(dir, ['log', '--json']))
    .sort((a, b) => a.seq - b.seq)
    .map(({ type }) => type);

/** ben10 and the reader of the format both find it sound. */
async function expectSound(dir: string, events: number): Promise<void> {
  expect(json(await here(dir, ['verify', '--json']))).toMatchObject({ ok: true, events });
  const reader = spawnSync(
    process.execPath,
    [READER, '--verify', path.join(dir, '.ben10/journal')],
    {
      encoding: 'utf8',
    },
  );
  expect(reader).toMatchObject({ status: 0, stderr: '' });
  expect(reader.stdout.trimEnd().split('\n')).toHaveLength(events);
}

/** The ways in which a journal comes to be somewhere else as well. */
const WAYS: [string, (from: string, to: string) => void][] = [
  ['cp -r', (from, to) => void execFileSync('cp', ['-r', `${from}/.ben10`, to])],
  ['cp -a, with all times', (from, to) => void execFileSync('cp', ['-a', `${from}/.ben10`, to])],
  [
    'a clone of a repository',
    (from, to) => {
      const git = (dir: string, ...args: string[]) =>
        void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: dir,
          stdio: 'ignore',
        });
      git(from, 'init');
      git(from, 'add', '--force', '.ben10');
      git(from, 'commit', '-m', 'the journal');
      git(to, 'clone', from, '.');
    },
  ],
  [
    'a backup that was restored, the journal being gone',
    (from, to) => {
      execFileSync('tar', ['-C', from, '-cf', `${to}/backup.tar`, '.ben10']);
      execFileSync('tar', ['-C', to, '-xpf', `${to}/backup.tar`]);
    },
  ],
];

describe('a copied .ben10', () => {
  it.each(WAYS)('gets an origin of its own from the first hook: %s', async (_, copy) => {
    const [from, to] = [scratch(), scratch()];
    await hook(from, 't1');
    copy(from, to);
    const { origin, journalId } = manifestOf(from);
    expect(await typesOf(to)).toEqual(['tool.called']);
    await hook(to, 't2');
    await hook(from, 't3');
    await hook(to, 't4');
    expect(manifestOf(from).origin).toBe(origin);
    expect(manifestOf(to)).toMatchObject({ journalId, formerly: [origin] });
    expect(manifestOf(to).origin).not.toBe(origin);
    expect(await typesOf(from)).toEqual(['tool.called', 'tool.called']);
    expect(await typesOf(to)).toEqual([
      'tool.called',
      'journal.copied',
      'tool.called',
      'tool.called',
    ]);
    await expectSound(from, 2);
    await expectSound(to, 4);
    expect(json(await here(to, ['compact', '--json']))).not.toHaveProperty('error');
    await expectSound(to, 4);
  });

  it('in the place of a journal that was removed is one all the same', async () => {
    const [dir, backup] = [scratch(), scratch()];
    await hook(dir, 't1');
    execFileSync('cp', ['-a', `${dir}/.ben10`, backup]);
    rmSync(path.join(dir, '.ben10'), { recursive: true });
    execFileSync('cp', ['-a', `${backup}/.ben10`, dir]);
    await hook(dir, 't2');
    expect(await typesOf(dir)).toEqual(['tool.called', 'journal.copied', 'tool.called']);
  });

  it('that was moved is the same journal', async () => {
    const [from, to] = [scratch(), scratch()];
    await hook(from, 't1');
    const before = manifestOf(from);
    renameSync(path.join(from, '.ben10'), path.join(to, '.ben10'));
    await hook(to, 't2');
    expect(manifestOf(to)).toEqual(before);
    expect(await typesOf(to)).toEqual(['tool.called', 'tool.called']);
  });
});
