import type { Codecs } from '../../src/journal/compact-segment.ts';
import type { JournalPorts } from '../../src/journal/ports.ts';
import { unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd } from '../../src/platform/codecs/zstd-read.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { randomOf } from './chance.ts';
import { fileSystemOf, lockOf, type SimDisk } from './disk.ts';

/** Where the simulated journal is. */
export const SIM_ROOT = '/project/.ben10';
export const decoders = { lz4: unlz4, zstd: unzstd };

/** @returns the real encoders; on a Node without Zstd the WebAssembly one takes a moment to load */
export const loadCodecs = async (): Promise<Codecs> => ({ zstd: await loadZstd(), decoders });

/** One process on a simulated machine. */
export interface SimProcess {
  number: number;
  ports: JournalPorts;
  /** While true, no lock is to be had: somebody else holds it, as far as this process can tell. */
  isLockedOut: boolean;
}

export function startProcess(disk: SimDisk, number: number, seed: number): SimProcess {
  const lock = lockOf(disk, number);
  const process: SimProcess = {
    number,
    isLockedOut: false,
    ports: {
      fs: fileSystemOf(disk, number),
      clock: {
        now: () => Math.floor(disk.now),
        sleep: (milliseconds) => {
          disk.now += milliseconds;
        },
      },
      random: randomOf(seed * 1_000_003 + number * 7919),
      lock: {
        tryLock: (fd) => !process.isLockedOut && lock.tryLock(fd),
        unlock: (fd) => lock.unlock(fd),
      },
      xxh64,
    },
  };
  return process;
}
