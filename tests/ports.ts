import { createRequire } from 'node:module';
import path from 'node:path';
import type { JournalPorts } from '../src/journal/format/ports.ts';
import { systemClock } from '../src/platform/clock.ts';
import { unlz4 } from '../src/platform/codecs/lz4.ts';
import { unzstd } from '../src/platform/codecs/zstd-read.ts';
import { nodeFs } from '../src/platform/fs.ts';
import { loadFileLock } from '../src/platform/lock.ts';
import { systemRandom } from '../src/platform/random.ts';
import { xxh64 } from '../src/platform/xxh64.ts';
import { STORED } from '../src/project/stored.ts';

const require = createRequire(import.meta.url);

/** Where the lock's prebuilt addons are in a checkout. */
export const ADDONS = path.join(
  path.dirname(require.resolve('fs-native-extensions/package.json')),
  'prebuilds',
);

/** The real ports of this machine. */
export const realPorts: JournalPorts = {
  fs: nodeFs,
  clock: systemClock,
  random: systemRandom,
  lock: loadFileLock(ADDONS),
  xxh64,
  stored: STORED,
};

export const decoders = { lz4: unlz4, zstd: unzstd };
