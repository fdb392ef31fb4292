import { errno } from '../platform/errors.ts';
import { readFile, writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import type { Layout } from './layout.ts';
import { openManifest, readManifest } from './manifest.ts';
import type { JournalPorts, ReaderPorts } from './ports.ts';
import { keep } from './quarantine.ts';
import { flip } from './repair-frame.ts';
import type { RepairItem } from './repair-piece.ts';

/** Of a manifest that is looked at bit by bit; real ones have some 400 bytes. */
const MEND_BYTES_MAX = 4096;

/** What is wrong with the manifest, and with one flipped bit put right where that was all. */
export interface ManifestRepair {
  item: RepairItem;
  bytes: Buffer;
  mended: Buffer | undefined;
}

/** @returns undefined when it is sound */
export function examineManifest(ports: ReaderPorts, layout: Layout): ManifestRepair | undefined {
  if (readManifest(ports, layout) !== undefined) return undefined;
  const bytes = manifestBytes(ports, layout);
  const mended = bytes.length <= MEND_BYTES_MAX ? withoutFlip(ports, bytes) : undefined;
  const place = { segment: 'manifest', kind: 'manifest', offset: 0, bytes: bytes.length };
  const nothing = { firstSeq: null, lastSeq: null };
  const item: RepairItem =
    mended === undefined
      ? {
          ...place,
          ...nothing,
          action: 'rebuild',
          what: 'it is made anew from the segments; the names of older texts kept beside the journal cannot be checked any more',
        }
      : {
          ...place,
          ...nothing,
          action: 'mend',
          what: 'a flipped bit is put right: nothing is lost',
        };
  return { item, bytes, mended };
}

/** Call with the append lock held. @returns the name in quarantine of what was there; undefined when nothing was */
export function repairManifest(ports: JournalPorts, layout: Layout): string | undefined {
  const found = examineManifest(ports, layout);
  if (found === undefined) return undefined;
  const { bytes, mended } = found;
  if (mended === undefined) return openManifest(ports, layout).lost?.kept;
  const kept = keep(ports, layout, 'manifest', bytes);
  const unique = randomHex(ports.random, 6);
  writeFileAtomic(ports.fs, layout.manifest, mended, unique, { durable: true });
  return kept;
}

const NO_FILE = new Set<string | undefined>(['ENOENT', 'ENOTDIR', 'EFBIG', 'EISDIR', 'ELOOP']);

function manifestBytes(ports: ReaderPorts, layout: Layout): Buffer {
  try {
    return readFile(ports.fs, layout.manifest, 64 * 1024);
  } catch (error) {
    if (NO_FILE.has(errno(error))) return Buffer.alloc(0);
    throw error;
  }
}

function withoutFlip(ports: ReaderPorts, bytes: Buffer): Buffer | undefined {
  const copy = Buffer.from(bytes);
  for (let bit = 0; bit < copy.length * 8; bit += 1) {
    flip(copy, bit);
    if (isSummed(ports, copy)) return copy;
    flip(copy, bit);
  }
  return undefined;
}

/** Two lines, the second of which is the first one's sum. */
function isSummed(ports: ReaderPorts, bytes: Buffer): boolean {
  const end = bytes.indexOf(0x0a);
  if (end === -1) return false;
  const sum = ports.xxh64(bytes.subarray(0, end), 0n).toString(16).padStart(16, '0');
  return bytes.toString('latin1', end + 1) === `${sum}\n`;
}
