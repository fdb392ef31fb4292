import type { JournalPorts } from '../format/ports.ts';

/** Makes what was removed from folders stay removed; those that are not there have nothing in them. */
export function syncFolders({ fs }: JournalPorts, folders: Iterable<string>): void {
  for (const folder of new Set(folders)) {
    if (fs.statIfThere(folder)?.isDirectory === true) fs.syncDir(folder);
  }
}
