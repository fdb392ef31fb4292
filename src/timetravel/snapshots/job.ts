import { loadZstd } from '../../platform/codecs/zstd-write.ts';
import type { Job } from '../../project/doors.ts';
import { archiveStored, storedStamp } from './archive.ts';

/**
 * Packs saves and snapshots. Level 19 would be felt in the server's answers, and what is unpacked for it must not stay in the
 * memory of a process that lives on: an erasure could not reach it there.
 */
export const archiveJob: Job = {
  name: 'archive',
  isApart: true,
  afterMs: 20_000,
  everyMs: 5_000,
  budgetMs: 600_000,
  stamp: storedStamp,
  async run(project, { config }) {
    const { compressionLevel } = config.context.compactionSnapshots;
    archiveStored(project, await loadZstd(), compressionLevel);
    return false;
  },
};
