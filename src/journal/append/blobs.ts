import { dirname } from 'node:path';
import type { Decoders } from '../../platform/codecs/codecs.ts';
import { errno } from '../../platform/errors.ts';
import {
  ensureDurableDir,
  readdirIfThere,
  readFile,
  writeFileAtomic,
} from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { sha256 } from '../../platform/sha256.ts';
import {
  CONTAINER_FILE_BYTES_MAX,
  decodeContainer,
  encodeContainer,
  isLaterContainer,
  type Packing,
} from '../format/container.ts';
import { type Layout, refuseUnsafe } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import { isPassedBy, namesPassingBy } from '../read/refused.ts';

/** Texts above this go beside the journal: an event stays small, and the same text is stored once. */
export const INLINE_BYTES_MAX = 64 * 1024;

const NAME = /^[0-9a-f]{64}$/;
const DOMAIN = Buffer.from('ben10/blob/1');

export const blobPath = (layout: Layout, name: string): string =>
  `${layout.blobs}/${name.slice(0, 2)}/${name}`;

/** Whether a file bears the name; what is in it is not looked at. */
export const hasBlob = (ports: ReaderPorts, layout: Layout, name: string): boolean =>
  ports.fs.statIfThere(blobPath(layout, name))?.isFile === true;

/**
 * Stores bytes under a salted digest of themselves. @returns the blob's name, 64 hex digits
 * @param packing none for hooks, which have no time
 * @throws Node's error; Ben10Error LIMIT_EXCEEDED, JOURNAL_UNSAFE when a folder of its path is a link
 */
export function putBlob(
  ports: JournalPorts,
  layout: Layout,
  blobKey: string,
  bytes: Uint8Array,
  packing?: Packing,
): string {
  const name = nameOf(blobKey, bytes);
  const path = blobPath(layout, name);
  if (hasBlob(ports, layout, name)) {
    ports.fs.syncDir(dirname(path)); // whoever put it there may not have come so far yet
    return name;
  }
  for (const dir of [layout.blobs, dirname(path)]) refuseUnsafe(ports.fs, dir);
  ensureDurableDir(ports.fs, dirname(path), layout.root);
  // Always durable: the event that names it may be, and must never point at nothing.
  const unique = randomHex(ports.random, 6);
  const packed = encodeContainer(bytes, ports.xxh64, packing);
  writeFileAtomic(ports.fs, path, packed, unique, { durable: true });
  return name;
}

function nameOf(blobKey: string, bytes: Uint8Array): string {
  return sha256(DOMAIN, Buffer.from(blobKey, 'hex'), bytes).toString('hex');
}

/** Undefined if missing, damaged, or not a blob's name. @param blobKey also compares the content with the name */
export function getBlob(
  ports: ReaderPorts,
  layout: Layout,
  name: string,
  decoders: Decoders,
  blobKey?: string,
): Buffer | undefined {
  if (!NAME.test(name)) return undefined;
  const bytes = storedBlob(ports, layout, name);
  const plain = bytes && decodeContainer(bytes, decoders, ports.xxh64);
  if (plain === undefined || blobKey === undefined) return plain;
  return nameOf(blobKey, plain) === name ? plain : undefined;
}

/** Whether a later version wrote it: it cannot be read here, and is not damaged. */
export function isLaterBlob(ports: ReaderPorts, layout: Layout, name: string): boolean {
  const bytes = storedBlob(ports, layout, name);
  return bytes !== undefined && isLaterContainer(bytes, ports.xxh64);
}

/** What stands in its file, as it is; undefined when that is missing. */
function storedBlob(ports: ReaderPorts, layout: Layout, name: string): Buffer | undefined {
  const path = blobPath(layout, name);
  try {
    const bytes = readFile(ports.fs, path, CONTAINER_FILE_BYTES_MAX);
    ports.refused?.delete(path);
    return bytes;
  } catch (error) {
    if (isPassedBy(ports, path, error) || LOST.has(errno(error))) return undefined;
    throw error;
  }
}

/** Missing, or something else is in its place. */
const LOST = new Set<string | undefined>(['ENOENT', 'ENOTDIR', 'EFBIG', 'EISDIR', 'EIO', 'ELOOP']);

export function listBlobs(ports: ReaderPorts, layout: Layout): string[] {
  const names: string[] = [];
  for (const shard of readdirIfThere(ports.fs, layout.blobs)) {
    if (!/^[0-9a-f]{2}$/.test(shard)) continue;
    for (const name of namesPassingBy(ports, `${layout.blobs}/${shard}`)) {
      if (NAME.test(name) && name.startsWith(shard)) names.push(name);
    }
  }
  return names.sort();
}
