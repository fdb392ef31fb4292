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

export interface StoredCounts {
  kept: KeptCounts;
  /** Only if something was counted. A failure is ignored: it is counted again. */
  store(): void;
}

/** What earlier renders counted; nothing if that is damaged, or of another version. */
export function loadCounts(project: Project): StoredCounts {
  const { ports, layout, decoders } = project;
  // In the folder of stored states: it goes with them at an erasure.
  const folder = `${layout.checkpoints}/pack-counts`;
  const file = `${folder}/counts`;
  const epoch = erasureEpoch(project);
  // Another version may redact more, and what was counted before an erasure is not used after it.
  const head = `${VERSION} ${epoch}\n`;
  const refuseLinks = () => {
    for (const dir of [layout.checkpoints, folder]) refuseUnsafe(ports.fs, dir);
  };
  const key = Buffer.from(readManifest(ports, layout)?.blobKey ?? '', 'hex');
  const stored = tried(() => {
    refuseLinks();
    const bytes = readFile(ports.fs, file, CONTAINER_BYTES_MAX);
    const plain = decodeContainer(bytes, decoders, ports.xxh64);
    const isOurs = plain?.toString('latin1', 0, head.length) === head;
    return isOurs ? new KeptCounts(key, plain.subarray(head.length)) : undefined;
  });
  const kept = stored ?? new KeptCounts(key);
  const write = () => {
    const plain = Buffer.concat([Buffer.from(head), kept.toBytes()]);
    if (plain.length > CONTAINER_BYTES_MAX) return;
    refuseLinks();
    ensureDir(ports.fs, folder, { durable: false });
    const bytes = encodeContainer(plain, ports.xxh64);
    writeFileAtomic(ports.fs, file, bytes, randomHex(ports.random, 6), {
      durable: false,
      isVoid: () => erasureEpoch(project) !== epoch,
    });
  };
  return { kept, store: () => void (kept.isChanged && tried(write)) };
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const isByOther = error instanceof SyntaxError || error instanceof TypeError;
    if (isByOther || error instanceof Ben10Error || errno(error) !== undefined) return undefined;
    throw error;
  }
}
