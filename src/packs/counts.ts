import { decodeContainer, encodeContainer } from '../journal/format/container.ts';
import { CONTAINER_BYTES_MAX } from '../journal/format/format.ts';
import { refuseUnsafe } from '../journal/format/layout.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import { ensureDir, readFile, writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { VERSION } from '../platform/version.ts';
import type { Project } from '../project/open.ts';
import { erasureEpoch } from '../timetravel/beside-erasure.ts';
import { KeptCounts } from './render/kept.ts';

/** In the folder of stored states: it goes with them at an erasure. */
const folderOf = ({ layout }: Project): string => `${layout.checkpoints}/pack-counts`;
const fileOf = (project: Project): string => `${folderOf(project)}/counts`;

/** Another version may redact more, and what was counted before an erasure is not used after it. */
const headOf = (epoch: number): string => `${VERSION} ${epoch}\n`;

export interface StoredCounts {
  kept: KeptCounts;
  /** Only if something was counted. A failure is ignored: it is counted again. */
  store(): void;
}

/** What earlier renders counted; nothing if that is damaged, or of another version. */
export function loadCounts(project: Project): StoredCounts {
  const { ports, layout } = project;
  const epoch = erasureEpoch(project);
  const key = Buffer.from(readManifest(ports, layout)?.blobKey ?? '', 'hex');
  const kept = keptIn(key, stored(project, headOf(epoch)));
  return {
    kept,
    store() {
      if (kept.isChanged) tried(() => write(project, kept, epoch));
    },
  };
}

function keptIn(key: Buffer, bytes: Buffer | undefined): KeptCounts {
  try {
    return new KeptCounts(key, bytes);
  } catch {
    return new KeptCounts(key); // somebody else wrote it
  }
}

function stored(project: Project, head: string): Buffer | undefined {
  const bytes = tried(() => {
    refuseLinks(project);
    return readFile(project.ports.fs, fileOf(project), CONTAINER_BYTES_MAX);
  });
  const plain = bytes && decodeContainer(bytes, project.decoders, project.ports.xxh64);
  const isOurs = plain?.toString('latin1', 0, head.length) === head;
  return isOurs ? plain.subarray(head.length) : undefined;
}

function write(project: Project, kept: KeptCounts, epoch: number): void {
  const { ports } = project;
  const plain = Buffer.concat([Buffer.from(headOf(epoch)), kept.toBytes()]);
  if (plain.length > CONTAINER_BYTES_MAX) return;
  refuseLinks(project);
  ensureDir(ports.fs, folderOf(project), { durable: false });
  const bytes = encodeContainer(plain, ports.xxh64);
  writeFileAtomic(ports.fs, fileOf(project), bytes, randomHex(ports.random, 6), {
    durable: false,
    isVoid: () => erasureEpoch(project) !== epoch,
  });
}

function refuseLinks(project: Project): void {
  for (const dir of [project.layout.checkpoints, folderOf(project)])
    refuseUnsafe(project.ports.fs, dir);
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
    return undefined;
  }
}
