import type { Clock } from '../../platform/clock.ts';
import type { FileSystem } from '../../platform/fs.ts';
import type { FileLock } from '../../platform/lock.ts';
import type { Random } from '../../platform/random.ts';
import type { Hash64 } from '../../platform/xxh64.ts';

/** Everything that the journal takes from outside. */
export interface JournalPorts {
  fs: FileSystem;
  clock: Clock;
  random: Random;
  /** Undefined where the system has no kernel lock: then every writer spools. */
  lock: FileLock | undefined;
  xxh64: Hash64;
  /**
   * For who examines a journal: takes down, by its path, which segment or text is there and not given, with the system's code.
   * Such a file is passed by then, as one whose disk is bad; without it, who is denied one gets an error.
   */
  refused?: Map<string, string> | undefined;
  /** What else lies in `.ben10`: an erasure removes it, too. */
  stored: readonly StoredFiles[];
}

/** Files beside the journal that may hold something of its events. */
export interface StoredFiles {
  /** Below `.ben10`: a folder, or a file with those that bear its name and a suffix. */
  place: string;
  /**
   * `rebuildable`: made again when it is asked for, and the first to go where there is no room. `pinned`: stays until somebody
   * removes it; a name that begins with a seq says up to which event it may hold something. `people`: a file that is written out anew.
   */
  kind: 'rebuildable' | 'pinned' | 'people';
  /** As status names it where it says what takes space. */
  name?: string;
}

/** What reading alone needs: no lock, no chance; a clock for how old what it remembers is. */
export type ReaderPorts = Pick<JournalPorts, 'fs' | 'clock' | 'xxh64' | 'refused'>;
