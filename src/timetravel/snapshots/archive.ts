import { LockFile } from '../../journal/append/locking.ts';
import { asWriteError } from '../../journal/append/write-errors.ts';
import { keptFiles } from '../../journal/erase/derived.ts';
import { readU8 } from '../../journal/format/bytes.ts';
import {
  CONTAINER_FILE_BYTES_MAX,
  decodeContainer,
  encodeContainer,
} from '../../journal/format/container.ts';
import { BLOCK, CONTAINER_HEADER_BYTES, METHOD } from '../../journal/format/format.ts';
import type { Codec } from '../../platform/codecs/codecs.ts';
import { loadZstd } from '../../platform/codecs/zstd-write.ts';
import { errno } from '../../platform/errors.ts';
import { readdirIfThere, readFile, writeFileAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import type { Job } from '../../project/doors.ts';
import type { Project } from '../../project/open.ts';
import { SAVES_DIR, SNAPSHOTS_DIR, STORED_NAME } from '../places.ts';
import { foldersOf } from '../stored-files.ts';

export interface Archived {
  /** Files that got smaller. */
  files: number;
  bytesBefore: number;
  bytesAfter: number;
}

/**
 * Compresses saves, snapshots and kept files, which were written fast, as far as possible. Each new file is read back and compared before it
 * replaces the old one; damaged ones stay. The lock excludes erasures: an erased file must not come back.
 * @param level of Zstandard
 * @returns undefined when a compaction or an erasure is running
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function archiveStored(project: Project, zstd: Codec, level: number): Archived | undefined {
  const { ports, layout } = project;
  const paths = storedPaths(project);
  const repackAll = () => totals(paths.map((path) => repack(project, path, zstd, level)));
  if (paths.length === 0) return repackAll();
  const lock = new LockFile(ports, layout.compactLock);
  try {
    return lock.hold(0, repackAll)?.value;
  } catch (error) {
    throw asWriteError(error, layout.snapshots);
  } finally {
    lock.close();
  }
}

/** Files behind a link are never replaced. */
function storedPaths(project: Project): string[] {
  const { fs } = project.ports;
  const isReal = (dir: string) => fs.statIfThere(dir)?.isDirectory === true;
  const folders = ([SAVES_DIR, SNAPSHOTS_DIR] as const).filter((folder) =>
    foldersOf(project, folder).every(isReal),
  );
  const states = folders.flatMap((folder) =>
    readdirIfThere(fs, `${project.root}/${folder}`)
      .filter((name) => STORED_NAME.test(name))
      .map((name) => `${project.root}/${folder}/${name}`),
  );
  return [...states, ...keptFiles(project.ports, project.layout)];
}

/** Changes whenever one of them is written, packed or removed. */
const storedStamp = (project: Project): string =>
  storedPaths(project)
    .map((path) => `${path} ${project.ports.fs.statIfThere(path)?.size}`)
    .join('\n');

/** Files that `archiveStored` would try. @param gone files to be removed before, relative to `.ben10` */
export function archivable(
  project: Project,
  gone: ReadonlySet<string>,
): { files: number; bytes: number } {
  const sizes = storedPaths(project)
    .filter((path) => !gone.has(path.slice(project.root.length + 1)))
    .map((path) => readIfThere(project.ports.fs, path))
    .filter((bytes) => bytes !== undefined && !isArchived(bytes))
    .map((bytes) => bytes!.length);
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

interface Sizes {
  before: number;
  after: number;
}

function totals(repacked: readonly (Sizes | undefined)[]): Archived {
  const done = repacked.filter((sizes) => sizes !== undefined);
  const sum = (of: keyof Sizes) => done.reduce((bytes, sizes) => bytes + sizes[of], 0);
  return { files: done.length, bytesBefore: sum('before'), bytesAfter: sum('after') };
}

/** Undefined when it stays as it is. */
function repack(
  { ports, decoders }: Project,
  path: string,
  zstd: Codec,
  level: number,
): Sizes | undefined {
  const bytes = readIfThere(ports.fs, path);
  if (bytes === undefined || isArchived(bytes)) return undefined;
  const plain = decodeContainer(bytes, decoders, ports.xxh64);
  if (plain === undefined) return undefined;
  const packed = encodeContainer(plain, ports.xxh64, { method: 'zstd', codec: zstd, level });
  if (packed.length >= bytes.length) return undefined;
  if (decodeContainer(packed, decoders, ports.xxh64)?.equals(plain) !== true) return undefined;
  writeFileAtomic(ports.fs, path, packed, randomHex(ports.random, 6), { durable: true });
  return { before: bytes.length, after: packed.length };
}

/** Judged by the first block; a file that does not shrink is tried again each time. */
function isArchived(bytes: Buffer): boolean {
  const method = CONTAINER_HEADER_BYTES + BLOCK.method;
  return bytes.length > method && readU8(bytes, method) === METHOD.zstd;
}

function readIfThere(fs: Project['ports']['fs'], path: string): Buffer | undefined {
  try {
    return readFile(fs, path, CONTAINER_FILE_BYTES_MAX);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined; // removed meanwhile, or no regular file
  }
}

/** Packs saves and snapshots in a process of its own: it would slow the server, and unpacked text must not stay in its memory. */
export const archiveJob: Job = {
  name: 'archive',
  isApart: true,
  afterMs: 20_000,
  everyMs: 5_000,
  budgetMs: 600_000,
  stamp: storedStamp,
  async run(project, { config }) {
    const { compressionLevel } = config.context.compactionSnapshots;
    archiveStored(project, await loadZstd(), compressionLevel);
    return false;
  },
};
