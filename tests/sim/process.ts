import { hash } from 'node:crypto';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd } from '../../src/platform/codecs/zstd-read.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { STORED } from '../../src/project/stored.ts';
import { randomOf } from './chance.ts';
import { fileSystemOf, lockOf, type SimDisk } from './disk.ts';

/** Where the simulated journal is. */
export const SIM_ROOT = '/project/.ben10';

/** Of blocks that were packed or unpacked, what is remembered. */
const BLOCKS_MAX = 1000;

/** The same block of many disks is packed and unpacked once. What is given back is never changed by anybody. */
function once<T>(work: (bytes: Uint8Array, how: number) => T) {
  const known = new Map<string, T>();
  return (bytes: Uint8Array, how: number): T => {
    const key = `${how} ${hash('sha1', bytes, 'base64')}`;
    if (known.has(key)) return known.get(key)!;
    const done = work(bytes, how);
    if (known.size >= BLOCKS_MAX) known.delete(known.keys().next().value!);
    known.set(key, done);
    return done;
  };
}

export const decoders = { lz4: unlz4, zstd: once(unzstd) };

/** @returns the real encoders; on a Node without Zstd the WebAssembly one takes a moment to load */
export const loadCodecs = async (): Promise<Codecs> => {
  const { compress } = await loadZstd();
  return { zstd: { compress: once(compress) }, decoders };
};

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
        bootedAt: () => disk.bootedAt,
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
      stored: STORED,
    },
  };
  return process;
}
