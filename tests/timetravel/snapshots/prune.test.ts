import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SnapshotCreated } from '../../../src/events/types.ts';
import { spool } from '../../../src/journal/append/inbox.ts';
import type { Project } from '../../../src/project/open.ts';
import { readEvents } from '../../../src/projections/events.ts';
import type { SnapshotRecord } from '../../../src/projections/folds/snapshots.ts';
import { annotateSnapshot } from '../../../src/timetravel/snapshots/change.ts';
import { listSnapshots } from '../../../src/timetravel/snapshots/indexed.ts';
import {
  ORPHAN_AGE_MS,
  pruneAfterTaking,
  pruneSnapshots,
  snapshotsToPrune,
} from '../../../src/timetravel/snapshots/prune.ts';
import { daysLater, taken, todo } from './support.ts';

const POLICY = { retentionCount: 5, retentionDays: 30, maxStorageMb: 500 };
const ALL = ['age', 'count', 'size'] as const;
const DAY = 24 * 3600 * 1000;

const ids = (made: readonly SnapshotCreated[]): string[] => made.map(({ snapshot }) => snapshot);
const left = (project: Project): string[] =>
  listSnapshots(project)
    .snapshots.map(({ id }) => id)
    .reverse();

const record = (id: string, more: Partial<SnapshotRecord> = {}): SnapshotRecord => ({
  id,
  createdAt: 0,
  session: 's',
  trigger: 'threshold',
  upto: 1,
  file: `compaction-snapshots/${id}`,
  before: { messages: 0, files: 0, toolExecutions: 0 },
  after: null,
  contentHash: '',
  plainBytes: 1,
  bytes: 1_000_000,
  pinned: false,
  tags: [],
  note: '',
  ...more,
});

describe('snapshotsToPrune', () => {
  const due = (all: SnapshotRecord[], policy = {}, now = 0) =>
    snapshotsToPrune(all, { ...POLICY, ...policy }, now, ALL).map((one) => [
      one.record.id,
      one.why,
    ]);
  const many = (count: number) => Array.from({ length: count }, (_, n) => record(`${n}`));

  it('leaves as many as are to be kept, and removes the oldest of one more', () => {
    expect(due(many(5))).toEqual([]);
    expect(due(many(7))).toEqual([
      ['0', 'count'],
      ['1', 'count'],
    ]);
  });

  it('does not count those that are pinned', () => {
    const all = many(7).map((one, n) => (n < 2 ? { ...one, pinned: true } : one));
    expect(due(all)).toEqual([]);
    expect(due([...all, record('7')])).toEqual([['2', 'count']]);
  });

  it('removes what is older than its days, to the millisecond, but nothing pinned', () => {
    const all = [
      record('old'),
      record('kept', { pinned: true }),
      record('young', { createdAt: 1 }),
    ];
    expect(due(all, {}, 30 * DAY)).toEqual([]);
    expect(due(all, {}, 30 * DAY + 1)).toEqual([['old', 'age']]);
    expect(due(all, {}, 30 * DAY + 2)).toEqual([
      ['old', 'age'],
      ['young', 'age'],
    ]);
  });

  it('removes the oldest until the rest fits, pinned ones counted, and never the newest', () => {
    const all = [record('a'), record('b', { pinned: true }), record('c'), record('d')];
    expect(due(all, { maxStorageMb: 4 })).toEqual([]);
    expect(due(all, { maxStorageMb: 3 })).toEqual([['a', 'size']]);
    expect(due(all, { maxStorageMb: 1 })).toEqual([
      ['a', 'size'],
      ['c', 'size'],
    ]);
  });
});

describe('pruneSnapshots', () => {
  it('removes files and entries, each with an event that says why', () => {
    const project = todo();
    const made = taken(project, 4);
    annotateSnapshot(project, made[0]!.snapshot, { pinned: true });
    const pruned = pruneSnapshots(project, { ...POLICY, retentionCount: 2 });
    expect(pruned).toEqual({
      removed: [{ id: made[1]!.snapshot, why: 'count' }],
      bytes: made[1]!.bytes,
    });
    expect(left(project)).toEqual(ids([made[0]!, made[2]!, made[3]!]));
    expect(readdirSync(project.layout.snapshots)).toHaveLength(3);
    const [event] = readEvents(project.reader, project.ports.xxh64, {
      types: ['snapshot.removed'],
    });
    expect(event).toMatchObject({ source: 'cli', data: pruned.removed[0] && { why: 'count' } });
    expect(listSnapshots(project).lastPruned).toBe(event!.at);
    expect(pruneSnapshots(project, { ...POLICY, retentionCount: 2 }).removed).toEqual([]);
  });

  it('sweeps away what a writer left that died, but nothing young, named, or not ours', () => {
    const project = todo();
    const [made] = taken(project);
    const dir = project.layout.snapshots;
    const old = (Date.now() - ORPHAN_AGE_MS - 60_000) / 1000;
    const put = (name: string, time?: number) => {
      writeFileSync(path.join(dir, name), 'x');
      if (time !== undefined) utimesSync(path.join(dir, name), time, time);
    };
    const name = `${'0'.repeat(15)}1-${'a'.repeat(12)}.ctx`;
    put(name, old);
    put(`${name}.${'b'.repeat(12)}.tmp`, old);
    put(`${'0'.repeat(15)}2-${'a'.repeat(12)}.ctx`);
    put('mine.txt', old);
    utimesSync(path.join(project.root, made!.file), old, old);
    expect(pruneSnapshots(project, POLICY).bytes).toBe(2);
    expect(readdirSync(dir).sort()).toEqual(
      [path.basename(made!.file), `${'0'.repeat(15)}2-${'a'.repeat(12)}.ctx`, 'mine.txt'].sort(),
    );
  });

  it('leaves files alone while an event waits that may name them', () => {
    const project = todo();
    const [made] = taken(project);
    const name = `${'0'.repeat(15)}1-${'a'.repeat(12)}.ctx`;
    const file = path.join(project.layout.snapshots, name);
    writeFileSync(file, 'x');
    utimesSync(file, 1, 1);
    const { recorder, ports, layout } = project;
    const data = { ...made!, snapshot: 'f'.repeat(16), file: `compaction-snapshots/${name}` };
    const where = { fact: null, session: 's', agent: null, at: 1 };
    spool(
      ports,
      layout,
      [recorder.event({ type: 'snapshot.created', ...where, data }, 'hook')],
      undefined,
    );
    pruneSnapshots(project, POLICY);
    expect(existsSync(file)).toBe(true);
  });
});

describe('pruneAfterTaking', () => {
  it('looks into no journal while the files tell that nothing is due', () => {
    const project = todo();
    taken(project, 5);
    const blind = Object.create(project, { states: { value: undefined } }) as Project;
    expect(pruneAfterTaking(blind, POLICY).removed).toEqual([]);
  });

  it('removes what is due by count, age or size', () => {
    for (const [policy, days, why] of [
      [{ retentionCount: 1 }, 0, 'count'],
      [{ retentionDays: 3 }, 4, 'age'],
      [{ maxStorageMb: 0 }, 0, 'size'],
    ] as const) {
      const project = todo();
      const [first] = taken(project, 2);
      const pruned = pruneAfterTaking(daysLater(project, days), { ...POLICY, ...policy });
      expect(pruned.removed[0]).toEqual({ id: first!.snapshot, why });
    }
  });
});
