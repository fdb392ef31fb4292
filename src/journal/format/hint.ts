import { errno } from '../../platform/errors.ts';
import { readBigU64, readU64, writeBigU64, writeU64 } from './bytes.ts';
import { HINT, HINT_BYTES, HINT_MAGIC } from './format.ts';
import { type Layout, listOrigins, listSegments, originDir } from './layout.ts';
import type { JournalPorts, ReaderPorts } from './ports.ts';

/**
 * What the last sync reached: 32 bytes, overwritten in place, never synced itself. It may be stale or lost, but never ahead,
 * so damage is judged too mildly rather than too harshly.
 */
export interface SyncHint {
  syncedUpto: number;
  /** Milliseconds since the epoch. */
  syncedAt: number;
}

export const NO_HINT: SyncHint = { syncedUpto: 0, syncedAt: 0 };

export const HINT_NAME = 'synced';

export const hintPath = (layout: Layout, origin: string): string =>
  `${originDir(layout, origin)}/${HINT_NAME}`;

/** `NO_HINT` if missing, damaged or unreadable: it is only a hint. */
export function readHint(ports: ReaderPorts, path: string): SyncHint {
  const bytes = Buffer.alloc(HINT_BYTES);
  try {
    const fd = ports.fs.open(path, 'r');
    try {
      ports.fs.read(fd, bytes, 0);
    } finally {
      ports.fs.close(fd);
    }
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return NO_HINT;
  }
  if (!bytes.subarray(0, HINT_MAGIC.length).equals(HINT_MAGIC)) return NO_HINT;
  const sum = ports.xxh64(bytes.subarray(0, HINT.checksum), 0n);
  if (sum !== readBigU64(bytes, HINT.checksum)) return NO_HINT;
  const syncedUpto = readU64(bytes, HINT.syncedUpto);
  const syncedAt = readU64(bytes, HINT.syncedAt);
  // With a larger seq the next writer would go on where nobody can read.
  const isHeld = Number.isSafeInteger(syncedUpto) && Number.isSafeInteger(syncedAt);
  return isHeld ? { syncedUpto, syncedAt } : NO_HINT;
}

/** Whether a file is there and says nothing. Checked twice: a writer may be at it. */
export function isHintDamaged(ports: ReaderPorts, path: string): boolean {
  const isBad = () => ports.fs.statIfThere(path) !== undefined && readHint(ports, path) === NO_HINT;
  return isBad() && isBad();
}

/**
 * The origin whose newest segment starts highest. Without segments, the one whose hint claims most: its loss is reported
 * there.
 */
export function furthestOrigin(ports: ReaderPorts, layout: Layout): string | undefined {
  const newest = listSegments(ports.fs, layout).at(-1);
  if (newest !== undefined) return newest.origin;
  const claims = listOrigins(ports.fs, layout).map((origin) => ({
    origin,
    ...readHint(ports, hintPath(layout, origin)),
  }));
  const furthest = claims.sort((a, b) => a.syncedUpto - b.syncedUpto).at(-1);
  return furthest === undefined || furthest.syncedUpto === 0 ? undefined : furthest.origin;
}

/** The hint as its writer has it: a file that stays open, since it is written at each sync. */
export class HintFile {
  readonly #ports: JournalPorts;
  readonly #path: string;
  #fd: number | undefined;

  constructor(ports: JournalPorts, path: string) {
    this.#ports = ports;
    this.#path = path;
  }

  /** A full or read-only disk is no failure: the next process just syncs once more. */
  write(hint: SyncHint): void {
    const bytes = encodeHint(this.#ports, hint);
    try {
      this.#fd ??= openOrCreate(this.#ports, this.#path);
      this.#ports.fs.write(this.#fd, bytes, 0);
    } catch (error) {
      this.close();
      if (errno(error) === undefined) throw error;
    }
  }

  close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    try {
      if (fd !== undefined) this.#ports.fs.close(fd);
    } catch (error) {
      if (errno(error) === undefined) throw error;
    }
  }
}

function encodeHint({ xxh64 }: JournalPorts, { syncedUpto, syncedAt }: SyncHint): Buffer {
  const bytes = Buffer.alloc(HINT_BYTES);
  bytes.set(HINT_MAGIC, HINT.magic);
  writeU64(bytes, syncedUpto, HINT.syncedUpto);
  writeU64(bytes, syncedAt, HINT.syncedAt);
  writeBigU64(bytes, xxh64(bytes.subarray(0, HINT.checksum), 0n), HINT.checksum);
  return bytes;
}

function openOrCreate({ fs }: JournalPorts, path: string): number {
  try {
    const fd = fs.open(path, 'r+');
    let isOwn = false;
    try {
      const { nlink, size } = fs.fstat(fd);
      isOwn = nlink <= 1 && size <= HINT_BYTES;
    } finally {
      if (!isOwn) fs.close(fd);
    }
    if (isOwn) return fd;
    // A second name, so not ours to overwrite; or bytes behind the hint, which an erasure has to reach.
    fs.unlink(path);
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
  }
  return fs.open(path, 'wx');
}
