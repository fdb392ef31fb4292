import { errno } from '../platform/errors.ts';
import { readU64, writeU64 } from './bytes.ts';
import { HINT, HINT_BYTES, HINT_MAGIC } from './format.ts';
import type { JournalPorts } from './ports.ts';

/**
 * What the last sync reached, left for the next process: 32 bytes, overwritten in place and never synced itself.
 * It may be stale or lost, never ahead: then damage is judged more mildly, not more harshly.
 */
export interface SyncHint {
  syncedUpto: number;
  /** Milliseconds since the epoch. */
  syncedAt: number;
}

export const NO_HINT: SyncHint = { syncedUpto: 0, syncedAt: 0 };

export function readHint(ports: JournalPorts, path: string): SyncHint {
  const bytes = Buffer.alloc(HINT_BYTES);
  try {
    const fd = ports.fs.open(path, 'r');
    try {
      ports.fs.read(fd, bytes, 0);
    } finally {
      ports.fs.close(fd);
    }
  } catch (error) {
    if (errno(error) === 'ENOENT') return NO_HINT;
    throw error;
  }
  if (!bytes.subarray(0, HINT_MAGIC.length).equals(HINT_MAGIC)) return NO_HINT;
  const sum = ports.xxh64(bytes.subarray(0, HINT.checksum), 0n);
  if (sum !== bytes.readBigUInt64LE(HINT.checksum)) return NO_HINT;
  return { syncedUpto: readU64(bytes, HINT.syncedUpto), syncedAt: readU64(bytes, HINT.syncedAt) };
}

export function writeHint(ports: JournalPorts, path: string, hint: SyncHint): void {
  const bytes = Buffer.alloc(HINT_BYTES);
  bytes.set(HINT_MAGIC, HINT.magic);
  writeU64(bytes, hint.syncedUpto, HINT.syncedUpto);
  writeU64(bytes, hint.syncedAt, HINT.syncedAt);
  bytes.writeBigUInt64LE(ports.xxh64(bytes.subarray(0, HINT.checksum), 0n), HINT.checksum);
  let fd: number;
  try {
    fd = ports.fs.open(path, 'r+');
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    fd = openNew(ports, path);
  }
  try {
    ports.fs.write(fd, bytes, 0);
  } finally {
    ports.fs.close(fd);
  }
}

function openNew(ports: JournalPorts, path: string): number {
  try {
    return ports.fs.open(path, 'wx');
  } catch (error) {
    if (errno(error) === 'EEXIST') return ports.fs.open(path, 'r+');
    throw error;
  }
}
