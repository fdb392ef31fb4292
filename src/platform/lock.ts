import { join } from 'node:path';

/** An exclusive lock on an open file, freed by the kernel when its holder dies. */
export interface FileLock {
  /** False when somebody else holds it. Throws when this system cannot lock at all. */
  tryLock(fd: number): boolean;
  unlock(fd: number): void;
}

interface Addon {
  tryLock(fd: number, offset: number, length: number, exclusive: boolean): void;
  unlock(fd: number, offset: number, length: number): void;
}

/**
 * Loads fs-native-extensions' prebuilt addon by its path. Its own loader searches and parses several package
 * files, which costs more than half an empty Node process; a hook cannot afford that.
 * @param folder holds `<platform>-<arch>/fs-native-extensions.node`
 * @throws where there is no addon for this system
 */
export function loadFileLock(folder: string, joined = join): FileLock {
  const target = { exports: {} as Addon };
  // Windows loads no program by a path that has others' separators.
  process.dlopen(
    target,
    joined(folder, `${process.platform}-${process.arch}/fs-native-extensions.node`),
  );
  const addon = target.exports;
  return {
    tryLock(fd) {
      try {
        addon.tryLock(fd, 0, 0, true);
        return true;
      } catch (error) {
        if ((error as { code?: string }).code === 'EAGAIN') return false;
        throw error;
      }
    },
    unlock: (fd) => addon.unlock(fd, 0, 0),
  };
}
