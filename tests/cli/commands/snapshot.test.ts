import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SnapshotCreated } from '../../../src/events/types.ts';
import type { SnapshotListed, SnapshotPage } from '../../../src/timetravel/snapshots/indexed.ts';
import { takeSnapshot } from '../../../src/timetravel/snapshots/take.ts';
import { openTestProject } from '../../support.ts';
import { emptyProject, here, inMemory, json, recordedProject, SESSION_ID } from '../support.ts';

function withSnapshots(count: number): { dir: string; made: SnapshotCreated[] } {
  const dir = recordedProject();
  const project = openTestProject(dir);
  const made = Array.from({ length: count }, () =>
    takeSnapshot(project, { session: SESSION_ID, trigger: 'threshold' }),
  );
  return { dir, made };
}

describe('ben10 snapshot', () => {
  it('lists them, newest first, for people and for programs', async () => {
    const { dir, made } = withSnapshots(3);
    const result = await here(dir, ['snapshot', 'list']);
    expect(result.status).toBe(0);
    const shown = result.stdout
      .split('\n')
      .flatMap((line) => /^ +([0-9a-f]{16}) /.exec(line)?.[1] ?? []);
    expect(shown).toEqual(made.map(({ snapshot }) => snapshot).reverse());
    expect(result.stdout).toMatch(/^3 snapshots, [\d.]+ KB\n/);
    const page = json<SnapshotPage>(
      await here(dir, ['snapshot', 'list', '--limit', '2', '--json']),
    );
    expect(page).toMatchObject({ count: 3, lastPruned: null });
    expect(page.snapshots.map(({ id }) => id)).toEqual(shown.slice(0, 2));
    expect((await here(dir, ['snapshot', 'list', '--limit', '0', '--json'])).stdout).toContain(
      shown[2],
    );
    expect((await here(emptyProject(), ['snapshot', 'list'])).stdout).toContain(
      '(setting context.compactionSnapshots.enabled)',
    );
  });

  it('shows one by the start of its id, and says what is not known', async () => {
    const { dir, made } = withSnapshots(1);
    const { snapshot, contentHash, upto } = made[0]!;
    const text = (await here(dir, ['snapshot', 'show', snapshot.slice(0, 7)])).stdout;
    expect(text).toContain(`Snapshot ${snapshot}\n`);
    expect(text).toContain(`up to @${upto}`);
    expect(text).toContain(contentHash);
    expect(text).toMatch(/after +the compaction has not finished, or was cancelled/);
    expect(json(await here(dir, ['snapshot', 'show', snapshot, '--json']))).toMatchObject({
      id: snapshot,
      ratio: null,
      after: null,
    });
  });

  it('pins, tags and notes, and takes each of these back', async () => {
    const { dir, made } = withSnapshots(1);
    const id = made[0]!.snapshot;
    const said = async (...args: string[]) =>
      json<SnapshotListed>(await here(dir, ['snapshot', ...args, '--json']));
    expect(await said('pin', id)).toMatchObject({ pinned: true });
    expect(await said('tag', id, 'a', 'b')).toMatchObject({ tags: ['a', 'b'], pinned: true });
    expect(await said('untag', id, 'a')).toMatchObject({ tags: ['b'] });
    expect(await said('note', id, 'before the rewrite')).toMatchObject({
      note: 'before the rewrite',
    });
    expect((await here(dir, ['snapshot', 'list'])).stdout).toMatch(/pinned +#b before the rewrite/);
    expect(await said('unpin', id)).toMatchObject({ pinned: false, tags: ['b'] });
    expect(await said('note', id, '')).toMatchObject({ note: '' });
  });

  it('deletes one, a pinned one only by force', async () => {
    const { dir, made } = withSnapshots(1);
    const id = made[0]!.snapshot;
    await here(dir, ['snapshot', 'pin', id]);
    const refused = await here(dir, ['snapshot', 'delete', id]);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('is pinned');
    expect((await here(dir, ['snapshot', 'delete', id, '--force'])).stdout).toContain(
      `Snapshot ${id} was deleted`,
    );
    expect(readdirSync(path.join(dir, '.ben10/compaction-snapshots'))).toEqual([]);
    const gone = await here(dir, ['snapshot', 'show', id, '--json']);
    expect(gone.status).toBe(1);
    expect(json(gone)).toMatchObject({ error: { code: 'SNAPSHOT_NOT_FOUND' } });
  });

  it('restores one as text, in pages, and says when its file was damaged', async () => {
    const { dir, made } = withSnapshots(1);
    const { snapshot, file, upto } = made[0]!;
    const text = (await here(dir, ['snapshot', 'restore', snapshot.slice(0, 8)])).stdout;
    expect(text).toContain(`at @snapshot:${snapshot} (event @${upto}`);
    const second = ['snapshot', 'restore', snapshot, '--full', '--budget', '500', '--page', '2'];
    expect(json(await here(dir, [...second, '--json']))).toMatchObject({ page: 2, notes: [] });
    writeFileSync(path.join(dir, '.ben10', file), 'x');
    expect((await here(dir, ['snapshot', 'restore', snapshot])).stdout).toContain(
      'rebuilt from the journal',
    );
    expect((await here(dir, ['replay', `@snapshot:${snapshot}`])).status).toBe(0);
  });

  it('says what it takes when it is called the wrong way', async () => {
    const { dir } = withSnapshots(1);
    for (const [args, words] of [
      [['frobnicate'], 'list, show'],
      [['show'], 'snapshot show takes ID'],
      [['list', 'x'], 'snapshot list takes nothing'],
      [['tag', 'x'], 'snapshot tag takes ID TAG...'],
      [['pin', 'a', 'b'], 'snapshot pin takes ID'],
    ] as const) {
      const { code, stderr } = await inMemory(dir, ['snapshot', ...args]);
      expect(code).toBe(2);
      expect(stderr).toContain(words);
    }
  });

  it('is packed by compact, which removes those past their retention', async () => {
    const { dir, made } = withSnapshots(3);
    writeFileSync(
      path.join(dir, '.ben10/config.yaml'),
      'context:\n  compactionSnapshots:\n    retentionCount: 2\n',
    );
    const dry = json<{ stored: unknown }>(await here(dir, ['compact', '--dry-run', '--json']));
    expect(dry.stored).toMatchObject({ removed: [{ why: 'count' }], archived: { files: 2 } });
    const done = await here(dir, ['compact']);
    expect(done.stdout).toContain(`Removed: 1 snapshot, `);
    expect(done.stdout).toContain(`${made[0]!.snapshot} (count)`);
    expect(done.stdout).toMatch(/Compressed 2 saves and snapshots, from [\d.]+ KB to [\d.]+ KB\./);
    const again = json(await here(dir, ['compact', '--json']));
    expect(again).toMatchObject({ stored: { removed: [], archived: { files: 0 } } });
    expect(
      (await here(dir, ['snapshot', 'restore', made[2]!.snapshot, '--json'])).stdout,
    ).toContain('"notes":[]');
  });
});
