import type { SnapshotRemoved, Source } from '../../events/types.ts';
import { listInbox } from '../../journal/append/inbox.ts';
import { asWriteError } from '../../journal/append/write-errors.ts';
import { bytes as sized } from '../../platform/bytes-text.ts';
import type { SnapshotSettings } from '../../platform/config/keys.ts';
import { readdirIfThere } from '../../platform/files.ts';
import type { Retention, StatusPart } from '../../project/doors.ts';
import type { Project } from '../../project/open.ts';
import { type SnapshotRecord, snapshots } from '../../projections/folds/snapshots.ts';
import { SNAPSHOTS_DIR } from '../places.ts';
import { removeStored } from '../stored-files.ts';
import { removeSnapshot } from './change.ts';
import { bytesOf, snapshotIndex } from './indexed.ts';

type Policy = Pick<SnapshotSettings, 'retentionCount' | 'retentionDays' | 'maxStorageMb'>;
type PruneWhy = Exclude<SnapshotRemoved['why'], 'asked'>;

const DAY_MS = 24 * 3600 * 1000;
/** As disks and file managers count. */
const MB = 1_000_000;
/** An older file without an event was left by a crash: writing both takes milliseconds. */
export const ORPHAN_AGE_MS = 60 * 60 * 1000;

interface Pruned {
  removed: { id: string; why: PruneWhy }[];
  bytes: number;
}

/**
 * Removes snapshots past their retention, each with an event, and files left by crashes. Pinned ones stay and do not count, but
 * their bytes do.
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function pruneSnapshots(
  project: Project,
  policy: Policy,
  reasons: readonly PruneWhy[] = ['age', 'count', 'size'],
  source: Source = 'cli',
): Pruned {
  const all = Object.values(snapshotIndex(project).snapshots);
  const sized = all.map((one) => ({ ...one, bytes: bytesOf(project, one) }));
  const due = snapshotsToPrune(sized, policy, project.ports.clock.now(), reasons);
  let bytes = 0;
  try {
    for (const { record, why } of due) {
      removeSnapshot(project, record, why, source);
      bytes += record.bytes;
    }
    bytes += sweepOrphans(project, all);
  } catch (error) {
    throw asWriteError(error, project.layout.snapshots);
  }
  return { removed: due.map(({ record, why }) => ({ id: record.id, why })), bytes };
}

/**
 * The snapshots to remove: too old, then beyond the count, then the oldest until all fit. The newest is never removed for size.
 * @param all oldest first, with current file sizes
 */
export function snapshotsToPrune<T extends Pick<SnapshotRecord, 'createdAt' | 'pinned' | 'bytes'>>(
  all: readonly T[],
  { retentionCount, retentionDays, maxStorageMb }: Policy,
  now: number,
  reasons: readonly PruneWhy[],
): { record: T; why: PruneWhy }[] {
  const due = new Map<T, PruneWhy>();
  const left = () => all.filter((one) => !one.pinned && !due.has(one));
  if (reasons.includes('age')) {
    const oldest = now - retentionDays * DAY_MS;
    for (const one of left()) if (one.createdAt < oldest) due.set(one, 'age');
  }
  if (reasons.includes('count')) {
    const kept = left();
    for (const one of kept.slice(0, Math.max(0, kept.length - retentionCount)))
      due.set(one, 'count');
  }
  if (reasons.includes('size')) {
    let bytes = all.reduce((sum, one) => sum + (due.has(one) ? 0 : one.bytes), 0);
    for (const one of left().filter((each) => each !== all.at(-1))) {
      if (bytes <= maxStorageMb * MB) break;
      due.set(one, 'size');
      bytes -= one.bytes;
    }
  }
  return [...due].map(([record, why]) => ({ record, why }));
}

/** Removes files without an event, and temporary ones. Events in the inbox may name a file, so it must be empty. */
function sweepOrphans(project: Project, all: readonly SnapshotRecord[]): number {
  const { ports, layout, root } = project;
  if (listInbox(ports, layout).length > 0) return 0;
  const named = new Set(all.map(({ file }) => `${root}/${file}`));
  let bytes = 0;
  for (const name of readdirIfThere(ports.fs, layout.snapshots)) {
    const path = `${layout.snapshots}/${name}`;
    const stat = ports.fs.statIfThere(path);
    if (stat?.isFile !== true || named.has(path) || !OURS.test(name)) continue;
    if (ports.clock.now() - stat.mtimeMs < ORPHAN_AGE_MS) continue;
    removeStored(project, `${SNAPSHOTS_DIR}/${name}`);
    bytes += stat.size;
  }
  return bytes;
}

const OURS = /^\d{16}-[0-9a-f]{12}\.ctx(?:\.[0-9a-f]{12}\.tmp)?$/;

/** The same in a hook: file names and sizes usually show that nothing is due. The index is stored when it was needed. */
export function pruneAfterTaking(project: Project, policy: Policy): Pruned {
  const nothing: Pruned = { removed: [], bytes: 0 };
  if (!mayBeDue(project, policy)) return nothing;
  const pruned = pruneSnapshots(project, policy, undefined, 'hook');
  project.states.checkpoint(snapshots, null);
  return pruned;
}

function mayBeDue({ ports, layout }: Project, policy: Policy): boolean {
  const names = readdirIfThere(ports.fs, layout.snapshots);
  if (names.length > policy.retentionCount) return true;
  const stats = names.flatMap((name) => ports.fs.statIfThere(`${layout.snapshots}/${name}`) ?? []);
  const bytes = stats.reduce((sum, { size }) => sum + size, 0);
  const oldest = ports.clock.now() - policy.retentionDays * DAY_MS;
  return bytes > policy.maxStorageMb * MB || stats.some(({ mtimeMs }) => mtimeMs < oldest);
}

const what = 'snapshot';

export const snapshotRetention: Retention = {
  due(project, { compactionSnapshots: policy }, reasons) {
    const all = Object.values(snapshotIndex(project).snapshots);
    const sized = all.map((one) => ({ ...one, bytes: bytesOf(project, one) }));
    const due = snapshotsToPrune(sized, policy, project.ports.clock.now(), reasons);
    return due.map(({ record: { id, file, bytes }, why }) => ({ what, id, why, file, bytes }));
  },
  remove(project, { compactionSnapshots: policy }, reasons) {
    const { removed, bytes } = pruneSnapshots(project, policy, reasons);
    return { removed: removed.map((one) => ({ what, ...one })), bytes };
  },
};

/** Beyond retention only pinned snapshots and the newest are left. */
export const snapshotStatus: StatusPart = {
  warnings({ snapshotsMaxMb: maxMb }, bytesOf) {
    const bytes = bytesOf(SNAPSHOTS_DIR);
    if (bytes <= maxMb * MB) return [];
    const takes = `the compaction snapshots take ${sized(bytes)}`;
    return [
      `${takes}, more than context.compactionSnapshots.maxStorageMb (${maxMb}): run ben10 compact, unpin or delete some (ben10 snapshot list), or set a higher limit`,
    ];
  },
};
