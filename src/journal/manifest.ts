import { Ben10Error, errno } from '../platform/errors.ts';
import { readFile, writeFileAtomic } from '../platform/fs.ts';
import { randomHex } from '../platform/random.ts';
import { SEGMENT_HEADER_BYTES } from './format.ts';
import { type Layout, listSegments } from './layout.ts';
import type { JournalPorts } from './ports.ts';
import { decodeSegmentHeader } from './segment.ts';

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
}

const MANIFEST_BYTES_MAX = 64 * 1024;
const HEX = { journalId: 32, origin: 32, blobKey: 64 } as const;

export function readManifest(ports: JournalPorts, layout: Layout): Manifest | undefined {
  let text: string;
  try {
    text = Buffer.from(readFile(ports.fs, layout.manifest, MANIFEST_BYTES_MAX)).toString('utf8');
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'EFBIG') return undefined;
    throw error;
  }
  const [line = '', sum = ''] = text.split('\n');
  if (sum !== checksum(ports, line)) return undefined;
  try {
    return validate(JSON.parse(line));
  } catch {
    return undefined; // checksummed and yet not ours: as good as lost
  }
}

function validate(value: Record<string, unknown>): Manifest | undefined {
  for (const [key, digits] of Object.entries(HEX)) {
    const field = value[key];
    if (typeof field !== 'string' || !/^[0-9a-f]+$/.test(field) || field.length !== digits)
      return undefined;
  }
  for (const key of ['format', 'createdAt', 'generation', 'erasureEpoch']) {
    if (!Number.isSafeInteger(value[key])) return undefined;
  }
  return value as unknown as Manifest;
}

/** Call with the lock held. */
export function writeManifest(ports: JournalPorts, layout: Layout, manifest: Manifest): void {
  const line = JSON.stringify(manifest);
  const bytes = Buffer.from(`${line}\n${checksum(ports, line)}\n`);
  writeFileAtomic(ports.fs, layout.manifest, bytes, randomHex(ports.random, 6), { durable: true });
}

const checksum = (ports: JournalPorts, line: string): string =>
  ports.xxh64(Buffer.from(line), 0n).toString(16).padStart(16, '0');

/**
 * The manifest, made new when there is none. Call with the lock held.
 * @throws Ben10Error JOURNAL_FOREIGN when the journal was written by a later format
 */
export function ensureManifest(ports: JournalPorts, layout: Layout): Manifest {
  const found = readManifest(ports, layout);
  if (found !== undefined) {
    if (found.format > 1) throw newerFormat(layout, found.format);
    return found;
  }
  const newest = listSegments(ports.fs, layout).at(-1);
  const manifest: Manifest = {
    format: 1,
    journalId: newest === undefined ? randomHex(ports.random, 16) : journalIdOf(ports, newest.path),
    origin: newest?.origin ?? randomHex(ports.random, 16),
    createdAt: ports.clock.now(),
    generation: 0,
    erasureEpoch: 0,
    blobKey: randomHex(ports.random, 32),
  };
  writeManifest(ports, layout, manifest);
  return manifest;
}

function journalIdOf(ports: JournalPorts, path: string): string {
  const fd = ports.fs.open(path, 'r');
  try {
    const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
    ports.fs.read(fd, bytes, 0);
    const header = decodeSegmentHeader(bytes, ports.xxh64);
    return header?.journalId.toString('hex') ?? randomHex(ports.random, 16);
  } finally {
    ports.fs.close(fd);
  }
}

function newerFormat(layout: Layout, format: number): Ben10Error {
  return new Ben10Error(
    'JOURNAL_FOREIGN',
    `the journal has format ${format}; this ben10 knows format 1`,
    {
      place: { file: layout.manifest },
      next: 'Update ben10: npm install -g ben10@latest',
    },
  );
}
