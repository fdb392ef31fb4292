import { readFile, writeFileAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { SEGMENT_BYTES_MAX } from '../format/format.ts';
import type { JournalPorts } from '../format/ports.ts';

/**
 * Opens a segment for writing. A file that has another name as well (a backup of hard links, a trap) is left to that name
 * as it is. Call with the lock held.
 * @returns when it was written to last, milliseconds since the epoch, before a copy was made
 * @throws Node's error
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
