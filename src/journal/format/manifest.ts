import { errno } from '../../platform/errors.ts';
import { readFile, writeFileAtomic } from '../../platform/files.ts';
import type { FileSystem } from '../../platform/fs.ts';
import { randomHex } from '../../platform/random.ts';
import { isMisplaced } from '../append/misplaced-manifest.ts';
import { formerOriginsIn, journalIdOf } from '../read/headers.ts';
import { keep, setAside } from '../repair/quarantine.ts';
import { flip, flippedBit } from './flip.ts';
import { FORMAT_MAJOR } from './format.ts';
import { furthestOrigin } from './hint.ts';
import { isOriginName, type Layout, syncLayout } from './layout.ts';
import type { JournalPorts, ReaderPorts } from './ports.ts';
import { newerFormat } from './segment.ts';

/**
 * What a listing of segments cannot tell: one line of JSON, its XXH64 in a second one. One flipped bit is put right; if it
 * is lost it is rebuilt, for nothing in the journal depends on it.
 */
export interface Manifest {
  format: number;
  /** 32 hex digits: refuses segments of another journal. */
  journalId: string;
  /** 32 hex digits: the folder that this clone appends to. */
  origin: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** How often a compaction replaced files. */
  generation: number;
  /** How often events were erased: projections stored before are void. */
  erasureEpoch: number;
  /** 64 hex digits: salts the names of blobs, so that a name says nothing about its content. */
  blobKey: string;
  /** Seq of the erasure that was begun and is not known to be done: whoever meets it finishes it. */
  erasing?: number;
  /** The same of a drop of old events: the next compaction finishes it. */
  dropping?: number;
  /** The one before was lost, and its blob key with it: the names of older blobs cannot be checked. */
  isRebuilt?: boolean;
  /** Origins of the journals that this one was copied from, oldest first: older segments name them. */
  formerly?: string[];
  /** Folders that this journal was written in, newest last: `copied.ts` tells a copy by them. */
  places?: Place[];
}

/** Tells a folder from its copy: inode and birth time (0 if unknown). */
export type Place = [ino: number, bornMs: number];

const MANIFEST_BYTES_MAX = 64 * 1024;
/** Searched bit by bit up to this size, which takes 0.3 s; real ones have some 500 bytes. */
const MEND_BYTES_MAX = 4096;
const WHOLE = ['format', 'createdAt', 'generation', 'erasureEpoch'] as const;

/** The last sound one: a process reads the same some twenty times. */
let known: { bytes: Buffer; manifest: Manifest } | undefined;

/** Undefined if missing or damaged. Read only. @throws Ben10Error JOURNAL_FOREIGN when a later format wrote it */
export function readManifest(ports: ReaderPorts, layout: Layout): Manifest | undefined {
  const bytes = bytesOf(ports, layout);
  if (bytes === undefined) return undefined;
  if (known?.bytes.equals(bytes) === true) return known.manifest;
  const manifest = decode(ports, layout, bytes);
  if (manifest !== undefined) known = { bytes, manifest: Object.freeze(manifest) };
  return manifest;
}

function bytesOf(ports: ReaderPorts, layout: Layout): Buffer | undefined {
  try {
    return readFile(ports.fs, layout.manifest, MANIFEST_BYTES_MAX);
  } catch (error) {
    if (LOST.has(errno(error))) return undefined;
    throw error;
  }
}

/** Undefined if damaged. With a right sum it is either understood or a later version's. @throws Ben10Error JOURNAL_FOREIGN */
function decode(ports: ReaderPorts, layout: Layout, bytes: Buffer): Manifest | undefined {
  const end = bytes.indexOf('\n');
  const line = bytes.subarray(0, Math.max(end, 0));
  if (bytes.subarray(end + 1).toString('latin1') !== `${sumOf(ports, line)}\n`) return undefined;
  let value: unknown;
  try {
    const text = line.toString('utf8');
    value = Buffer.from(text).equals(line) ? JSON.parse(text) : undefined;
  } catch {
    // No JSON: as below.
  }
  const fields = (typeof value === 'object' && value) || {};
  if (!isManifest(fields as Record<string, unknown>)) {
    throw newerFormat(layout.manifest, "this journal's manifest");
  }
  return fields as Manifest;
}

/** Tells a manifest from the one that stood there before: see `stampOf`. */
export const manifestStamp = ({ fs }: ReaderPorts, { manifest }: Layout): string =>
  stampOf(fs, manifest);

/** Tells a file that is only replaced whole from the one before. @returns empty if it cannot be looked at: its reader says why */
export function stampOf(fs: FileSystem, path: string): string {
  try {
    const stat = fs.statIfThere(path);
    return stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return '';
  }
}

/** Missing, or something else is in its place. */
const LOST = new Set<string | undefined>(['ENOENT', 'ENOTDIR', 'EFBIG', 'EISDIR', 'ELOOP']);

function isManifest(value: Record<string, unknown>): value is Record<string, unknown> & Manifest {
  const { formerly = [], places = [], isRebuilt = false, erasing = 1, dropping = 1 } = value;
  return (
    isHex(value.journalId, 32) &&
    isHex(value.origin, 32) &&
    isHex(value.blobKey, 64) &&
    value.format === FORMAT_MAJOR &&
    WHOLE.every((key) => isWhole(value[key])) &&
    isListOf(formerly, isOriginName) &&
    isListOf(places, isPlace) &&
    typeof isRebuilt === 'boolean' &&
    [erasing, dropping].every((seq) => isWhole(seq) && seq !== 0)
  );
}

const isWhole = (field: unknown): boolean => Number.isSafeInteger(field) && (field as number) >= 0;

const isHex = (field: unknown, digits: number): boolean =>
  typeof field === 'string' && field.length === digits && /^[0-9a-f]+$/.test(field);

const isListOf = (value: unknown, is: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(is);

const isPlace = (one: unknown): boolean =>
  isListOf(one, Number.isFinite) && (one as unknown[]).length === 2;

/** What names the journal's folder on this machine. */
export function placeOf({ fs }: ReaderPorts, { journal }: Layout): Place {
  const { ino, bornMs = 0 } = fs.stat(journal);
  return [ino, bornMs];
}

/** Call with the lock held. */
export function writeManifest(ports: JournalPorts, layout: Layout, manifest: Manifest): void {
  const line = JSON.stringify(manifest);
  const bytes = Buffer.from(`${line}\n${sumOf(ports, Buffer.from(line))}\n`);
  writeFileAtomic(ports.fs, layout.manifest, bytes, randomHex(ports.random, 6), { durable: true });
}

const sumOf = (ports: ReaderPorts, line: Buffer): string =>
  ports.xxh64(line, 0n).toString(16).padStart(16, '0');

/**
 * What a damaged manifest said before one bit flipped, or an editor changed its line ends: 64 bits of sum tell.
 * @returns undefined if it is missing, or more of it is damaged
 */
export function mendedManifest(
  ports: ReaderPorts,
  layout: Layout,
): { damaged: Buffer; manifest: Manifest } | undefined {
  const damaged = bytesOf(ports, layout);
  if (damaged === undefined || damaged.length > MEND_BYTES_MAX) return undefined;
  // Editors add CR, a byte order mark or blank lines, or take the last LF.
  const text = damaged.toString().replaceAll('\r', '').trim();
  const rewritten = decode(ports, layout, Buffer.from(`${text}\n`));
  if (rewritten !== undefined) return { damaged, manifest: rewritten };
  const bit = flippedBit(damaged, () => decode(ports, layout, damaged) !== undefined);
  if (bit === undefined) return undefined;
  const bytes = Buffer.from(damaged);
  flip(bytes, bit);
  return { damaged, manifest: decode(ports, layout, bytes)! };
}

/**
 * The manifest, made anew if there is none. Call with the lock held. @throws Ben10Error JOURNAL_FOREIGN when a later format
 * wrote it
 */
export const ensureManifest = (ports: JournalPorts, layout: Layout): Manifest =>
  openManifest(ports, layout).manifest;

/** Of a manifest that was lost, damaged or another journal's, and mended or made anew. */
export interface LostManifest {
  /** 0 when it was not there. */
  bytes: number;
  /** Name in `quarantine/` of what stood in its place. */
  kept?: string;
}

/**
 * The same, with what was lost if it had to be mended, or made anew for a journal with events. The writer records that.
 * @throws as `ensureManifest`
 */
export function openManifest(
  ports: JournalPorts,
  layout: Layout,
): { manifest: Manifest; isNew: boolean; lost?: LostManifest } {
  const found = readManifest(ports, layout);
  if (found !== undefined && !isMisplaced(ports, layout, found))
    return { manifest: found, isNew: false };
  const mended = found === undefined ? mendedManifest(ports, layout) : undefined;
  if (mended !== undefined) {
    const { damaged, manifest } = mended;
    const kept = keep(ports, layout, 'manifest', damaged);
    writeManifest(ports, layout, manifest);
    return { manifest, isNew: false, lost: { bytes: damaged.length, kept } };
  }
  const origin = furthestOrigin(ports, layout);
  const stat = ports.fs.statIfThere(layout.manifest);
  const lost: LostManifest | undefined =
    stat === undefined
      ? origin === undefined
        ? undefined
        : { bytes: 0 }
      : { bytes: stat.size, kept: setAside(ports, layout, layout.journal, 'manifest') };
  const known = origin === undefined ? undefined : journalIdOf(ports, layout, origin);
  const formerly = origin === undefined ? [] : formerOriginsIn(ports, layout, origin);
  const now = ports.clock.now();
  // Blobs of a journal that is gone are named by its lost key.
  const isRebuilt = origin !== undefined || ports.fs.statIfThere(layout.blobs) !== undefined;
  const manifest: Manifest = {
    format: FORMAT_MAJOR,
    journalId: known ?? randomHex(ports.random, 16),
    origin: origin ?? randomHex(ports.random, 16),
    createdAt: now,
    generation: 0,
    // The number of erasures is lost with the manifest. The time of day is higher, so no state stored before comes back as
    // valid.
    erasureEpoch: isRebuilt ? now : 0,
    blobKey: randomHex(ports.random, 32),
    places: [placeOf(ports, layout)],
    ...(isRebuilt && { isRebuilt }),
    ...(formerly.length > 0 && { formerly }),
  };
  syncLayout(ports.fs, layout);
  writeManifest(ports, layout, manifest);
  return { manifest, isNew: true, ...(lost && { lost }) };
}
