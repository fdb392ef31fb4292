import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diffPoints } from '../../../src/timetravel/diff.ts';
import { replay } from '../../../src/timetravel/replay.ts';
import { annotateSnapshot, deleteSnapshot } from '../../../src/timetravel/snapshots/change.ts';
import { findSnapshot, listSnapshots } from '../../../src/timetravel/snapshots/indexed.ts';
import { completeSnapshot } from '../../../src/timetravel/snapshots/left.ts';
import { saw, tell } from '../../tell.ts';
import { testProject } from '../project.ts';
import { SESSION, taken, todo } from './support.ts';

const notFound = (words: RegExp) =>
  expect.objectContaining({ code: 'SNAPSHOT_NOT_FOUND', message: expect.stringMatching(words) });

describe('listSnapshots', () => {
  it('gives a page, newest first, and the sums of all', () => {
    const project = todo();
    const made = taken(project, 5);
    const page = listSnapshots(project, { before: made[4]!.upto, count: 2 });
    expect(page.snapshots.map(({ id }) => id)).toEqual([made[3]!.snapshot, made[2]!.snapshot]);
    expect(page.count).toBe(5);
    expect(page.bytes).toBe(made.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(listSnapshots(project, { before: made[0]!.upto }).snapshots).toEqual([]);
  });

  it('says of one whose file is gone that nothing is stored', () => {
    const project = todo();
    const [made] = taken(project);
    rmSync(`${project.root}/${made!.file}`);
    expect(listSnapshots(project).snapshots).toMatchObject([{ id: made!.snapshot, bytes: 0 }]);
  });

  it('is the same when all that is stored beside the journal is gone', () => {
    const project = todo();
    const [first, second, third] = taken(project, 3);
    annotateSnapshot(project, first!.snapshot, { pinned: true, addTags: ['a'], note: 'n' });
    completeSnapshot(project, SESSION);
    deleteSnapshot(project, second!.snapshot);
    const before = listSnapshots(project);
    rmSync(project.layout.checkpoints, { recursive: true, force: true });
    const again = testProject({ dir: project.dir });
    expect(listSnapshots(again)).toEqual(before);
    expect(before.snapshots.map(({ id }) => id)).toEqual([third!.snapshot, first!.snapshot]);
  });
});

describe('findSnapshot', () => {
  it('takes an id or the unique start of one, in either case', () => {
    const project = todo();
    const [made] = taken(project);
    const { snapshot } = made!;
    for (const asked of [snapshot, snapshot.slice(0, 4), ` ${snapshot.toUpperCase()} `])
      expect(findSnapshot(project, asked).id).toBe(snapshot);
    const inside = snapshot.slice(1, 14);
    expect(() => findSnapshot(project, inside)).toThrow(notFound(/no snapshot/));
  });

  it('names what there is when there is no such one, and what it could mean when there are more', () => {
    const project = todo();
    expect(() => findSnapshot(project, 'abc')).toThrow(notFound(/no snapshot "abc"/));
    const [made] = taken(project);
    const twin = `${made!.snapshot.slice(0, 15)}${made!.snapshot.endsWith('0') ? '1' : '0'}`;
    tell(project, saw('snapshot.created', { ...made!, snapshot: twin }, { session: SESSION }));
    for (const asked of ['xyz', '', '../../etc/passwd', 'a\x1b[31m']) {
      expect(() => findSnapshot(project, asked)).toThrow(
        notFound(/^there is no snapshot "[^\x1b]*"$/),
      );
    }
    const ambiguous = made!.snapshot.slice(0, 10);
    expect(() => findSnapshot(project, ambiguous)).toThrow(
      expect.objectContaining({
        code: 'SNAPSHOT_NOT_FOUND',
        message: `"${ambiguous}" is the start of 2 snapshots`,
        next: expect.stringContaining(twin),
      }),
    );
    expect(findSnapshot(project, twin).id).toBe(twin);
  });
});

describe('the point @snapshot:ID', () => {
  it('is the event that the snapshot is up to, for replay and diff', () => {
    const project = todo();
    const [made] = taken(project);
    const { upto, snapshot } = made!;
    const there = replay(project, { point: `@snapshot:${snapshot.slice(0, 8)}` });
    expect(there).toEqual(replay(project, { point: `@${upto}`, session: SESSION }));
    expect(there.session).toBe(SESSION);
    const { to } = diffPoints(project, '@1', `snapshot:${snapshot}`);
    expect(to.seq).toBe(upto);
  });

  it('is not found by another name', () => {
    const project = todo();
    taken(project);
    expect(() => replay(project, { point: '@snapshot:zz' })).toThrow(notFound(/zz/));
    expect(() => replay(project, { point: '@snapshot:' })).toThrow(
      expect.objectContaining({ code: 'POINT_INVALID' }),
    );
  });
});
