import type { Retention } from '../../project/doors.ts';
import { bytesOf, snapshotIndex } from './indexed.ts';
import { pruneSnapshots, snapshotsToPrune } from './prune.ts';

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
