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
   * For verify, repair and doctor: collects files that may not be read, path to error code, and skips them. Without it, such
   * a file is an error.
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
   * `rebuildable`: made again when needed, removed first if room is short. `pinned`: stays until somebody removes it; a
   * leading seq in its name is the last event it may know. `kept`: the same, of unknown content, so an erasure searches it; named by 64
   * hex digits. `people`: a file written for people.
   */
  kind: 'rebuildable' | 'pinned' | 'kept' | 'people';
  /** As status names it where it says what takes space. */
  name?: string;
}

/** What reading needs: no lock, no randomness; the clock ages its caches. */
export type ReaderPorts = Pick<JournalPorts, 'fs' | 'clock' | 'xxh64' | 'refused'>;
