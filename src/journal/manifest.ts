import { errno } from '../platform/errors.ts';
import { readFile, writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { FORMAT_MAJOR } from './format.ts';
import { furthestOrigin, isOriginName, type Layout, syncLayout } from './layout.ts';
import { formerOriginsIn, journalIdOf } from './load.ts';
import type { JournalPorts, ReaderPorts } from './ports.ts';
import { setAside } from './quarantine.ts';
import { newerFormat } from './segment.ts';

/**
 * The few facts that a listing of the segments cannot tell. JSON in one line, its XXH64 in a second one. When it
 * is lost or damaged it is rebuilt: nothing in the journal depends on it.
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
  /** The one before was lost, and its blob key with it: the names of older blobs cannot be checked. */
  isRebuilt?: boolean;
  /** Origins of the journals that this one is a copy of, oldest first: its older segments bear their names. */
  formerly?: string[];
  /** Folders that this journal was written in, newest last: `copied.ts` tells a copy by them. */
  places?: Place[];
}

/** What tells a folder from a copy of it: its inode, and when it was made (0 where nobody knows). */
export type Place = [ino: number, bornMs: number];

const MANIFEST_BYTES_MAX = 64 * 1024;
const WHOLE = ['format', 'createdAt', 'generation', 'erasureEpoch'] as const;

/**
 * Undefined when it is missing or damaged.
 * @throws Ben10Error JOURNAL_FOREIGN when the journal was written by a later format
 */
export function readManifest(ports: ReaderPorts, layout: Layout): Manifest | undefined {
  let text: string;
  try {
    text = readFile(ports.fs, layout.manifest, MANIFEST_BYTES_MAX).toString('utf8');
  } catch (error) {
    if (LOST.has(errno(error))) return undefined;
    throw error;
  }
  const end = text.indexOf('\n');
  const [line, sum] = [text.slice(0, end), text.slice(end + 1, -1)];
  if (sum !== checksum(ports, line) || text !== `${line}\n${sum}\n`) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // checksummed and yet not ours: as good as lost
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  // Before anything else: a later format may have other fields, and must not be taken for a damaged one.
  if (Number.isSafeInteger(fields.format) && (fields.format as number) > FORMAT_MAJOR) {
    throw newerFormat(layout.manifest, `this journal (format ${fields.format})`);
  }
  return isManifest(fields) ? fields : undefined;
}

/** Missing, or something else is in its place. */
const LOST = new Set<string | undefined>(['ENOENT', 'ENOTDIR', 'EFBIG', 'EISDIR', 'ELOOP']);

function isManifest(value: Record<string, unknown>): value is Record<string, unknown> & Manifest {
  const { formerly = [], places = [] } = value;
  return (
    isHex(value.journalId, 32) &&
    isHex(value.origin, 32) &&
    isHex(value.blobKey, 64) &&
    value.format === FORMAT_MAJOR &&
    WHOLE.every((key) => Number.isSafeInteger(value[key])) &&
    isListOf(formerly, isOriginName) &&
    isListOf(places, isPlace)
  );
}

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
  const bytes = Buffer.from(`${line}\n${checksum(ports, line)}\n`);
  writeFileAtomic(ports.fs, layout.manifest, bytes, randomHex(ports.random, 6), { durable: true });
}

const checksum = (ports: ReaderPorts, line: string): string =>
  ports.xxh64(Buffer.from(line), 0n).toString(16).padStart(16, '0');

/**
 * The manifest, made anew when there is none. Call with the lock held.
 * @throws Ben10Error JOURNAL_FOREIGN when the journal was written by a later format
 */
export const ensureManifest = (ports: JournalPorts, layout: Layout): Manifest =>
  openManifest(ports, layout).manifest;

/** Of a manifest that was lost or damaged. */
export interface LostManifest {
  /** 0 when it was not there. */
  bytes: number;
  /** Name in `quarantine/` of what stood in its place. */
  kept?: string;
}

/**
 * The same, and of one that had to be made anew in a journal that has events, or in whose place something else stood, what
 * that was. Whoever opens the journal to append tells of it there.
 * @throws as `ensureManifest`
 */
export function openManifest(
  ports: JournalPorts,
  layout: Layout,
): { manifest: Manifest; lost?: LostManifest } {
  const found = readManifest(ports, layout);
  if (found !== undefined) return { manifest: found };
  const origin = furthestOrigin(ports.fs, layout);
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
  const manifest: Manifest = {
    format: FORMAT_MAJOR,
    journalId: known ?? randomHex(ports.random, 16),
    origin: origin ?? randomHex(ports.random, 16),
    createdAt: now,
    generation: 0,
    // How often something was erased is lost with a lost manifest. No count reaches the time of day, so nothing
    // that was stored before an erasure comes back as valid.
    erasureEpoch: origin === undefined ? 0 : now,
    blobKey: randomHex(ports.random, 32),
    places: [placeOf(ports, layout)],
    ...(origin === undefined ? {} : { isRebuilt: true, ...(formerly.length > 0 && { formerly }) }),
  };
  syncLayout(ports.fs, layout);
  writeManifest(ports, layout, manifest);
  return { manifest, ...(lost && { lost }) };
}
