import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAYLOADS_DIR } from '../../../src/packs/kept/payload-file.ts';
import { packRetention, packStatus } from '../../../src/packs/kept/retention.ts';
import { forget, payloadOf, snapshotsOf } from '../../../src/packs/kept/snapshots.ts';
import { PACKS, type Project } from '../../../src/project/open.ts';
import { STORED } from '../../../src/project/stored.ts';
import { here, json } from '../../cli/support.ts';
import { codeOf } from '../../support.ts';
import { kept, payloadFilesOf, projectWith } from './support.ts';

const CONTEXT = {} as Parameters<typeof packRetention.remove>[1];
const DAY_MS = 86_400_000;

/** Whose clock stands so many days ahead. */
const later = (project: Project, days: number): Project =>
  Object.create(project, {
    ports: {
      value: {
        ...project.ports,
        clock: { ...project.ports.clock, now: () => project.ports.clock.now() + days * DAY_MS },
      },
    },
  }) as Project;

const withPacks = (packs: Partial<typeof PACKS>) =>
  projectWith({ 'a.txt': 'a\n' }, { packs: { ...PACKS, ...packs } });

/** A snapshot of a text of its own. */
const ofText = (project: Project, text: string, about: Parameters<typeof kept>[2] = {}) =>
  kept(project, [`text:${text}`], { auto: true, ...about });

describe('snapshots that were made by themselves', () => {
  it('go beyond their number as soon as a new one is made, the oldest first; labelled ones stay', async () => {
    const project = withPacks({ keep: 3 });
    await ofText(project, 'the first', { label: 'v1' });
    for (const n of [1, 2, 3, 4, 5]) await ofText(project, `text ${n}`);
    const left = snapshotsOf(project);
    expect(left.map(({ label }) => label)).toEqual(['v1', undefined, undefined, undefined]);
    expect(payloadFilesOf(project)).toHaveLength(4);
    for (const one of left) expect(payloadOf(project, one).payload.length).toBe(one.bytes);
  });

  it('go for their age; labelled ones stay', async () => {
    const project = withPacks({ keepDays: 30 });
    await ofText(project, 'old');
    await ofText(project, 'older and labelled', { label: 'v1' });
    expect(packRetention.due(later(project, 29), CONTEXT, ['age'])).toEqual([]);
    const due = packRetention.due(later(project, 31), CONTEXT, ['age', 'count']);
    expect(due).toMatchObject([{ what: 'pack snapshot', why: 'age' }]);
    const done = packRetention.remove(later(project, 31), CONTEXT, ['age', 'count']);
    expect(done.bytes).toBe(due[0]!.bytes);
    expect(snapshotsOf(project).map(({ label }) => label)).toEqual(['v1']);
  });

  it('go for their size, the oldest first, but never the newest one', async () => {
    const project = withPacks({ maxStorageMb: 0.000_5 });
    const sizes = { '1': 'ä'.repeat(300), '2': 'ö'.repeat(300), '3': 'ü'.repeat(300) };
    for (const text of Object.values(sizes)) await ofText(project, text);
    expect(snapshotsOf(project)).toHaveLength(1);
    expect(payloadFilesOf(project)).toHaveLength(1);
    expect(payloadOf(project, snapshotsOf(project)[0]!).payload.toString()).toContain('ü');
  });

  it('do not take the file of a labelled one along', async () => {
    const project = withPacks({ keep: 1 });
    const labelled = await ofText(project, 'shared', { label: 'v1' });
    const same = await ofText(project, 'shared');
    expect(same.file).toBe(labelled.file);
    await ofText(project, 'another');
    expect(snapshotsOf(project).map(({ id }) => id)).not.toContain(same.id);
    expect(payloadOf(project, labelled).payload.toString()).toContain('shared');
  });
});

it('a file that no event names goes with the next removal', async () => {
  const project = withPacks({});
  const { file } = await ofText(project, 'named', { label: 'v1' });
  const shard = path.join(project.root, path.dirname(file));
  writeFileSync(path.join(shard, `${path.basename(shard)}${'0'.repeat(62)}`), 'left by a crash');
  packRetention.remove(project, CONTEXT, ['age']);
  expect(payloadFilesOf(project)).toEqual([path.relative('pack-payloads', file)]);
  forget(project, 'v1', 'cli');
  expect(payloadFilesOf(project)).toEqual([]);
  expect(codeOf(() => forget(project, 'v1', 'cli'))).toBe('PACK_NOT_FOUND');
});

describe('the program', () => {
  const env = { BEN10_PACKS_KEEP: '1', BEN10_PACKS_MAX_STORAGE_MB: '1' };

  it('removes and packs them with compact, which names each first with --dry-run', async () => {
    const project = withPacks({});
    const old = await ofText(project, 'word '.repeat(10_000));
    await ofText(project, 'another '.repeat(5000));
    const plan = await here(project.dir, ['compact', '--dry-run'], env);
    expect(plan.stdout).toContain(`1 pack snapshot`);
    expect(plan.stdout).toContain(`${old.id} (count)`);
    const done = json<{ stored: { removed: unknown; archived: unknown } }>(
      await here(project.dir, ['compact', '--json'], env),
    );
    expect(done.stored.removed).toEqual([{ id: old.id, why: 'count' }]);
    expect(done.stored.archived).toMatchObject({ files: 1 });
    expect(payloadFilesOf(project)).toHaveLength(1);
  });

  it('warns in status of more than their limit', async () => {
    const project = withPacks({ maxStorageMb: 1 });
    expect(packStatus.warnings(project, () => 1_000_000)).toEqual([]);
    expect(packStatus.warnings(project, () => 2_000_000).join()).toContain(
      'packs.maxStorageMb (1)',
    );
  });
});

it('a half written file of a crashed process goes with an erasure', async () => {
  const project = withPacks({});
  const { file } = await ofText(project, 'hello');
  const half = path.join(project.root, `${file}.0123456789ab.tmp`);
  writeFileSync(half, 'half');
  utimesSync(half, 0, 0);
  const done = await here(project.dir, ['erase', '@1', '--yes']);
  expect(done.status, done.stderr).toBe(0);
  expect(payloadFilesOf(project).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('the place that status counts and an erasure searches is the place where they are kept', () => {
  expect(STORED).toContainEqual({ place: PAYLOADS_DIR, kind: 'kept', name: 'pack payloads' });
});
