import { dirname } from 'node:path';
import type { PackSnapshotRemoved, Source } from '../../events/types.ts';
import { listInbox } from '../../journal/append/inbox.ts';
import { syncFolders } from '../../journal/append/sync-folders.ts';
import { asWriteError } from '../../journal/append/write-errors.ts';
import { keptFiles } from '../../journal/erase/derived.ts';
import { refuseUnsafe } from '../../journal/format/layout.ts';
import { bytes as sized } from '../../platform/bytes-text.ts';
import { removeIfThere } from '../../platform/files.ts';
import type { RemovedWhy, Retention, StatusPart } from '../../project/doors.ts';
import type { Project } from '../../project/open.ts';
import { type PackSnapshotRecord, packs } from '../../projections/folds/packs.ts';
import { besideErasure } from '../../timetravel/beside-erasure.ts';
import { snapshotsToPrune } from '../../timetravel/snapshots/prune.ts';
import { PAYLOADS_DIR, sizeOfPayload } from './payload-file.ts';

type Gone = { record: Pick<PackSnapshotRecord, 'id' | 'session'>; why: PackSnapshotRemoved['why'] };

/**
 * Event first: a file without one is removed by the next sweep.
 * @returns how many bytes went
 * @throws Ben10Error JOURNAL_UNSAFE, CONTEXT_LOCKED, FS_WRITE_ERROR
 */
export function removeSnapshots(project: Project, gone: readonly Gone[], source: Source): number {
  for (const { record, why } of gone) tell(project, record, why, source);
  return sweep(project);
}

export function tell(
  { recorder }: Project,
  { id, session }: Pick<PackSnapshotRecord, 'id' | 'session'>,
  why: PackSnapshotRemoved['why'],
  source: Source,
): void {
  recorder.append([
    recorder.ownEvent('pack.snapshot-removed', session, { snapshot: id, why }, source),
  ]);
}

/**
 * Removes payload files that no snapshot names. A process that keeps one looks again behind its event, which it appends under the lock
 * that is held here. Events that wait may name any, so then all stay.
 * @returns how many bytes went
 */
function sweep(project: Project): number {
  const { ports, layout, root } = project;
  return besideErasure(project, () => () => {
    if (listInbox(ports, layout).length > 0) return 0;
    refuseUnsafe(ports.fs, `${root}/${PAYLOADS_DIR}`);
    const named = new Set(all(project).map(({ file }) => `${root}/${file}`));
    let bytes = 0;
    try {
      const nobodys = keptFiles(ports, layout).filter((path) => !named.has(path));
      for (const path of nobodys) {
        bytes += ports.fs.statIfThere(path)?.size ?? 0;
        removeIfThere(ports.fs, path);
      }
      // Durably: a power cut must not bring them back.
      syncFolders(ports, nobodys.map(dirname));
    } catch (error) {
      throw asWriteError(error, `${root}/${PAYLOADS_DIR}`);
    }
    return bytes;
  });
}

const all = (project: Project): PackSnapshotRecord[] =>
  Object.values(project.states.at(packs, null).state.snapshots);

type Due = PackSnapshotRecord & { pinned: boolean };

/** A file that several have counts for the newest: it goes with that one. */
function due(project: Project, reasons: readonly RemovedWhy[]): { record: Due; why: RemovedWhy }[] {
  const { keep, keepDays, maxStorageMb } = project.packs;
  const holders = new Map(all(project).map(({ file, id }) => [file, id]));
  const listed = all(project).map((one) => ({
    ...one,
    pinned: one.label !== undefined,
    bytes: holders.get(one.file) === one.id ? sizeOfPayload(project, one.file) : 0,
  }));
  const policy = { retentionCount: keep, retentionDays: keepDays, maxStorageMb };
  return snapshotsToPrune(listed, policy, project.ports.clock.now(), reasons);
}

/** After one was taken by itself: without waiting for `ben10 compact`. @param but the one that was just taken */
export function expire(project: Project, source: Source, but: string): void {
  const gone = due(project, ['age', 'count', 'size']).filter(({ record }) => record.id !== but);
  if (gone.length > 0) removeSnapshots(project, gone, source);
}

const what = 'pack snapshot';

export const packRetention: Retention = {
  due: (project, _, reasons) =>
    due(project, reasons).map(({ record: { id, file, bytes }, why }) => {
      return { what, id, why, file, bytes };
    }),
  remove(project, _, reasons) {
    const gone = due(project, reasons);
    const areThere = gone.length > 0 || keptFiles(project.ports, project.layout).length > 0;
    const bytes = areThere ? removeSnapshots(project, gone, 'cli') : 0;
    return { removed: gone.map(({ record: { id }, why }) => ({ what, id, why })), bytes };
  },
};

const MB = 1_000_000;

/** Beyond retention only labelled ones and the newest are left. */
export const packStatus: StatusPart = {
  warnings({ packs: { maxStorageMb } }, bytesOf) {
    const bytes = bytesOf(PAYLOADS_DIR);
    if (bytes <= maxStorageMb * MB) return [];
    const takes = `snapshots of packs take ${sized(bytes)}`;
    return [
      `${takes}, more than packs.maxStorageMb (${maxStorageMb}): run ben10 compact, remove some (ben10 pack snapshots, ben10 pack forget), or set a higher limit`,
    ];
  },
};
