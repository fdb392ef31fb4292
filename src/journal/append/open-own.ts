import { readFile, writeFileAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { SEGMENT_BYTES_MAX } from '../format/format.ts';
import type { JournalPorts } from '../format/ports.ts';

/**
 * Opens a segment for writing. If the file has a second name (a backup by hard links, a trap), a copy takes our name first.
 * Call with the lock held. @returns when it was last written to, milliseconds since the epoch @throws Node's error
 */
export function openOwn(
  { fs, random }: JournalPorts,
  path: string,
): { fd: number; writtenAt: number } {
  const fd = fs.open(path, 'r+');
  let isOwn = false;
  let writtenAt: number;
  try {
    const stat = fs.fstat(fd);
    isOwn = stat.nlink <= 1;
    writtenAt = stat.mtimeMs;
  } finally {
    if (!isOwn) fs.close(fd);
  }
  if (isOwn) return { fd, writtenAt };
  const bytes = readFile(fs, path, SEGMENT_BYTES_MAX);
  writeFileAtomic(fs, path, bytes, randomHex(random, 6), { durable: true });
  return { fd: fs.open(path, 'r+'), writtenAt };
}
