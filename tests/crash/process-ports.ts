import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { loadFileLock } from '../../src/platform/lock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

/** Ports of a process that is started compiled: it is told where the lock's addons are. */
export const processPorts = (addons: string): JournalPorts => ({
  fs: nodeFs,
  clock: systemClock,
  random: systemRandom,
  lock: loadFileLock(addons),
  xxh64,
  stored: [],
});
