import { dropHalf, ensureDurableDir, writeAll } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import type { Layout } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';

/**
 * Keeps bytes that are removed from the journal. They are on disk when it returns.
 * @param name the file's name and the offset in it
 * @returns the name in quarantine
 */
export function keep(ports: JournalPorts, layout: Layout, name: string, bytes: Uint8Array): string {
  ensureDurableDir(ports.fs, layout.quarantine, layout.root);
  const kept = `${name}.${randomHex(ports.random, 6)}`;
  const path = `${layout.quarantine}/${kept}`;
  const fd = ports.fs.open(path, 'wx');
  try {
    try {
      writeAll(ports.fs, fd, bytes, 0);
      ports.fs.datasync(fd);
    } finally {
      ports.fs.close(fd);
    }
  } catch (error) {
    // Nothing is removed then, so half a copy is of no use.
    dropHalf(ports.fs, path);
    throw error;
  }
  ports.fs.syncDir(layout.quarantine);
  return kept;
}

/**
 * Moves a whole file to quarantine.
 * @param folder that it is in
 * @returns its name there
 */
export function setAside(
  ports: JournalPorts,
  layout: Layout,
  folder: string,
  name: string,
): string {
  ensureDurableDir(ports.fs, layout.quarantine, layout.root);
  const kept = `${name}.whole.${randomHex(ports.random, 6)}`;
  ports.fs.rename(`${folder}/${name}`, `${layout.quarantine}/${kept}`);
  ports.fs.syncDir(layout.quarantine);
  ports.fs.syncDir(folder);
  return kept;
}
