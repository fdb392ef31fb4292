import { join } from 'node:path';

/** An exclusive lock on an open file, which the kernel releases when its holder dies. */
export interface FileLock {
  /** False if another process holds it. Throws if the system cannot lock. */
  tryLock(fd: number): boolean;
  unlock(fd: number): void;
}

interface Addon {
  tryLock(fd: number, offset: number, length: number, exclusive: boolean): void;
  unlock(fd: number, offset: number, length: number): void;
}

/**
 * Loads the prebuilt addon of fs-native-extensions by path: its own loader takes more than half the time of an empty process.
 * @param folder holds `<platform>-<arch>/fs-native-extensions.node`
 * @throws if there is no addon for this system
 */
export function loadFileLock(folder: string, joined = join): FileLock {
  const target = { exports: {} as Addon };
  // Windows needs its own path separators here.
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
