import type { Codec, Decoders } from '../platform/codecs/codecs.ts';
import { Ben10Error } from '../platform/errors.ts';
import { readdirIfThere, readFile, removeIfThere, writeFileAtomic } from '../platform/fs.ts';
import { randomHex } from '../platform/random.ts';
import { asBuffer } from './bytes.ts';
import { SEGMENT_BYTES_MAX } from './format.ts';
import type { Entry } from './frame.ts';
import {
  type Layout,
  layoutOf,
  listOrigin,
  listSegments,
  type SegmentFile,
  segmentPath,
} from './layout.ts';
import { LockFile } from './locking.ts';
import { ensureManifest, writeManifest } from './manifest.ts';
import type { JournalPorts } from './ports.ts';
import { scanFrames } from './scan.ts';
import { LEVEL_COMPACT, sealSegment } from './seal.ts';
import { openSealed, readChunk } from './sealed.ts';
import { decodeSegmentHeader, type SegmentHeader } from './segment.ts';
import { JournalWriter } from './writer.ts';

export interface CompactOptions {
  /** Zstd level; `LEVEL_SEAL` or `LEVEL_COMPACT`. */
  level?: number;
  /** Say what would be done, and do nothing. */
  dryRun?: boolean;
  progress?: (done: number, all: number) => void;
}

export interface CompactedSegment {
  segment: string;
  bytesBefore: number;
  /** The same as before when it was kept, null when it was not tried (dry run). */
  bytesAfter: number | null;
  action: 'sealed' | 'recompressed' | 'kept';
  why: string;
}

export interface Compaction {
  bytesBefore: number;
  bytesAfter: number | null;
  segments: CompactedSegment[];
  /** Files of crashed writers that were removed. */
  leftovers: number;
}

/** An active segment smaller than this is left open: sealing it would gain little and cost a file. */
export const ROTATE_BYTES_MIN = 64 * 1024;
/** A temporary file this old belongs to nobody any more. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;
const LOCK_BUDGET_MS = 5000;

/**
 * Seals every closed segment, and recompresses those that were sealed more lightly. Nothing is edited in place: a
 * new file is written, decoded again and compared with the old one, then takes its name. Appends and readers go
 * on meanwhile.
 * @throws Ben10Error CONTEXT_LOCKED when another compaction is running
 */
export function compactJournal(
  ports: JournalPorts,
  root: string,
  codecs: { zstd: Codec; decoders: Decoders },
  options: CompactOptions = {},
): Compaction {
  const layout = layoutOf(root);
  const lock = new LockFile(ports, layout.compactLock);
  try {
    const held = lock.hold(0, () => compactLocked(ports, layout, codecs, options));
    if (held !== undefined) return held.value;
  } finally {
    lock.close();
  }
  throw new Ben10Error('CONTEXT_LOCKED', 'another compaction of this journal is running', {
    place: { file: layout.compactLock },
    next: 'Wait until it is done, then run: ben10 compact',
  });
}

function compactLocked(
  ports: JournalPorts,
  layout: Layout,
  codecs: { zstd: Codec; decoders: Decoders },
  options: CompactOptions,
): Compaction {
  const writer = new JournalWriter(ports, layout.root, { lockBudgetMs: LOCK_BUDGET_MS });
  try {
    if (options.dryRun !== true) writer.rotate(ROTATE_BYTES_MIN);
  } finally {
    writer.close();
  }
  const files = listSegments(ports.fs, layout);
  const segments: CompactedSegment[] = [];
  for (const [index, file] of files.entries()) {
    segments.push(compactOne(ports, file, index === files.length - 1, codecs, options));
    options.progress?.(index + 1, files.length);
  }
  const leftovers = options.dryRun === true ? 0 : sweep(ports, layout);
  if (segments.some((one) => one.action !== 'kept') && options.dryRun !== true)
    bumpGeneration(ports, layout);
  return { ...totals(segments), segments, leftovers };
}

function totals(segments: CompactedSegment[]): { bytesBefore: number; bytesAfter: number | null } {
  let bytesBefore = 0;
  let bytesAfter: number | null = 0;
  for (const one of segments) {
    bytesBefore += one.bytesBefore;
    bytesAfter =
      bytesAfter === null || one.bytesAfter === null ? null : bytesAfter + one.bytesAfter;
  }
  return { bytesBefore, bytesAfter };
}

function compactOne(
  ports: JournalPorts,
  file: SegmentFile,
  newest: boolean,
  codecs: { zstd: Codec; decoders: Decoders },
  options: CompactOptions,
): CompactedSegment {
  const segment = file.path.slice(file.path.lastIndexOf('/') + 1);
  const bytes = asBuffer(readFile(ports.fs, file.path, SEGMENT_BYTES_MAX));
  const kept = (why: string): CompactedSegment => ({
    segment,
    bytesBefore: bytes.length,
    bytesAfter: bytes.length,
    action: 'kept',
    why,
  });
  if (newest && !file.sealed) return kept('events are being appended to it');
  const level = options.level ?? LEVEL_COMPACT;
  const source = readWhole(ports, file, bytes, codecs.decoders);
  if (source === undefined) return kept('it is damaged; run: ben10 verify');
  if (source.level >= level) return kept(`it is compressed at level ${source.level} already`);
  const action = file.sealed ? 'recompressed' : 'sealed';
  const why = file.sealed ? `from level ${source.level} to ${level}` : `at level ${level}`;
  if (options.dryRun === true) {
    return { segment, bytesBefore: bytes.length, bytesAfter: null, action, why };
  }
  const sealed = sealSegment(source.header, source.entries, level, codecs.zstd, ports.xxh64);
  if (!sameHistory(ports, sealed, source, codecs.decoders)) {
    return kept(
      'the new file did not read back the same; nothing was replaced, please report this',
    );
  }
  publish(ports, file, sealed);
  return { segment, bytesBefore: bytes.length, bytesAfter: sealed.length, action, why };
}

interface Source {
  header: SegmentHeader;
  entries: Entry[];
  endChain: Buffer;
  /** -1 for a segment that is not sealed. */
  level: number;
}

/** All entries of a closed segment; undefined when anything in it is damaged. */
function readWhole(
  ports: JournalPorts,
  file: { sealed: boolean },
  bytes: Buffer,
  decoders: Decoders,
): Source | undefined {
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  if (header === undefined) return undefined;
  const entries: Entry[] = [];
  if (!file.sealed) {
    let endChain = header.prevChain;
    for (const item of scanFrames(bytes, header, ports.xxh64)) {
      if (item.frame === undefined) return undefined;
      entries.push(item.frame);
      endChain = item.frame.chain;
    }
    return entries.length === 0 ? undefined : { header, entries, endChain, level: -1 };
  }
  const sealed = openSealed(bytes, header, ports.xxh64);
  if (sealed.footer === undefined || sealed.damage.length > 0) return undefined;
  for (const chunk of sealed.chunks) {
    const read = readChunk(bytes, sealed, chunk, decoders, ports.xxh64);
    if (read.entries === undefined) return undefined;
    entries.push(...read.entries);
  }
  return { header, entries, endChain: sealed.footer.endChain, level: sealed.footer.level };
}

/** The chain covers every seq, time, id and commitment; the payloads are compared through their commitments. */
function sameHistory(
  ports: JournalPorts,
  sealed: Buffer,
  source: Source,
  decoders: Decoders,
): boolean {
  const copy = readWhole(ports, { sealed: true }, sealed, decoders);
  if (copy === undefined || copy.entries.length !== source.entries.length) return false;
  if (!copy.endChain.equals(source.endChain)) return false;
  return copy.entries.every((entry, index) => entry.commit.equals(source.entries[index]!.commit));
}

function publish(ports: JournalPorts, file: SegmentFile, sealed: Buffer): void {
  const target = file.sealed ? file.path : `${file.path}z`;
  writeFileAtomic(ports.fs, target, sealed, randomHex(ports.random, 6), { durable: true });
  if (!file.sealed) removeIfThere(ports.fs, file.path);
}

/** Removes what crashed writers left: old temporary files, and segments whose sealed form is in place. */
function sweep(ports: JournalPorts, layout: Layout): number {
  let removed = 0;
  const now = ports.clock.now();
  const origins = new Set(listSegments(ports.fs, layout).map((file) => file.origin));
  for (const origin of origins) {
    const dir = `${layout.journal}/${origin}`;
    for (const name of readdirIfThere(ports.fs, dir)) {
      const old =
        name.endsWith('.tmp') && now - ports.fs.stat(`${dir}/${name}`).mtimeMs > LEFTOVER_AGE_MS;
      if (old && removeIfThere(ports.fs, `${dir}/${name}`)) removed += 1;
    }
    for (const file of listOrigin(ports.fs, layout, origin)) {
      if (!file.sealed) continue;
      if (removeIfThere(ports.fs, segmentPath(layout, origin, file.firstSeq, false))) removed += 1;
    }
  }
  return removed;
}

function bumpGeneration(ports: JournalPorts, layout: Layout): void {
  const lock = new LockFile(ports, layout.lock);
  try {
    lock.hold(LOCK_BUDGET_MS, () => {
      const manifest = ensureManifest(ports, layout);
      writeManifest(ports, layout, { ...manifest, generation: manifest.generation + 1 });
    });
  } finally {
    lock.close();
  }
}
