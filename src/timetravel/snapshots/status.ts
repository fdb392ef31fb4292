import { bytes as sized } from '../../platform/bytes-text.ts';
import type { StatusPart } from '../../project/doors.ts';
import { SNAPSHOTS_DIR } from '../places.ts';

/** As disks and file managers count. */
const MB = 1_000_000;

/** Retention removes what it may: what is left is pinned, or the newest. */
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
