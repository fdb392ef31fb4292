import type { JournalPorts } from '../format/ports.ts';

/** Makes removals durable; folders that are missing are skipped. */
export function syncFolders({ fs }: JournalPorts, folders: Iterable<string>): void {
  for (const folder of new Set(folders)) {
    if (fs.statIfThere(folder)?.isDirectory === true) fs.syncDir(folder);
  }
}
