import { Ben10Error } from '../../platform/errors.ts';
import { LockFile } from '../append/locking.ts';
import { asWriteError } from '../append/write-errors.ts';
import { JournalWriter } from '../append/writer.ts';
import { ALL_MARKS, resumeErasure } from '../erase/resume.ts';
import { type Layout, layoutOf, type SegmentFile } from '../format/layout.ts';
import { ensureManifest, readManifest, writeManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { homeOf, ownSegments } from '../read/origins.ts';
import { type Codecs, type CompactedSegment, compactSegment } from './compact-segment.ts';
import { LEVEL_COMPACT } from './seal.ts';
import { sweep } from './sweep.ts';

interface CompactOptions {
  /** Zstd level; `LEVEL_SEAL` or `LEVEL_COMPACT`. */
  level?: number;
  /** Say what would be done, and do nothing. */
  dryRun?: boolean;
  progress?: (done: number, all: number) => void;
}

export interface Compaction {
  bytesBefore: number;
  bytesAfter: number | null;
  segments: CompactedSegment[];
  /** Files of crashed writers that were removed. */
  leftovers: number;
}

/** A smaller open segment stays open: sealing it gains little and costs a file. */
export const ROTATE_BYTES_MIN = 64 * 1024;
const LOCK_BUDGET_MS = 5000;

/**
 * Seals closed segments and recompresses those with a lower level, while appends and readers go on. Finishes an interrupted
 * erasure first.
 * @throws Ben10Error CONTEXT_NOT_FOUND without a `.ben10`, CONTEXT_LOCKED during another compaction or an erasure,
 * FS_WRITE_ERROR, FS_PERMISSION_DENIED; what was done by then is whole
 */
export function compactJournal(
  ports: JournalPorts,
  root: string,
  codecs: Codecs,
  options: CompactOptions = {},
): Compaction {
  const layout = layoutOf(root);
  try {
    if (homeOf(ports, layout) === undefined) {
      if (ports.fs.statIfThere(root) === undefined) throw noJournal(layout);
      return { ...totals([]), segments: [], leftovers: 0 };
    }
    if (options.dryRun === true) return compactAll(ports, layout, codecs, options);
    // First: otherwise a compaction would pack what has to go.
    resumeErasure(ports, root, codecs.decoders, ALL_MARKS);
    const left = readManifest(ports, layout);
    if (left !== undefined && ALL_MARKS.some((mark) => left[mark] !== undefined))
      throw cannotLock(ports, layout);
    const lock = new LockFile(ports, layout.compactLock);
    try {
      const held = lock.hold(0, () => compactLocked(ports, layout, codecs, options));
      if (held !== undefined) return held.value;
    } finally {
      lock.close();
    }
  } catch (error) {
    throw asWriteError(error, layout.journal);
  }
  throw cannotLock(ports, layout);
}

function compactLocked(
  ports: JournalPorts,
  layout: Layout,
  codecs: Codecs,
  options: CompactOptions,
): Compaction {
  const writer = new JournalWriter(ports, layout.root, { lockBudgetMs: LOCK_BUDGET_MS });
  try {
    writer.rotate(ROTATE_BYTES_MIN);
  } finally {
    writer.close();
  }
  const compaction = compactAll(ports, layout, codecs, options);
  if (compaction.segments.some((one) => one.action !== 'kept')) bumpGeneration(ports, layout);
  return {
    ...compaction,
    leftovers: sweep(ports, layout, ownSegments(ports, layout), codecs.decoders),
  };
}

function compactAll(
  ports: JournalPorts,
  layout: Layout,
  codecs: Codecs,
  options: CompactOptions,
): Compaction {
  const how = { level: options.level ?? LEVEL_COMPACT, dryRun: options.dryRun === true };
  // Other origins' segments are those of other writers, whose newest may be in use.
  const files = ownSegments(ports, layout);
  const segments: CompactedSegment[] = [];
  for (const [index, file] of files.entries()) {
    const isOpen = index === files.length - 1 && !(how.dryRun && isRotated(ports, file));
    segments.push(compactSegment(ports, file, isOpen, codecs, how));
    options.progress?.(index + 1, files.length);
  }
  return { ...totals(segments), segments, leftovers: 0 };
}

/** Whether a compaction would close the newest segment first. */
const isRotated = (ports: JournalPorts, { path }: SegmentFile): boolean =>
  (ports.fs.statIfThere(path)?.size ?? 0) >= ROTATE_BYTES_MIN;

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

function noJournal(layout: Layout): Ben10Error {
  return new Ben10Error('CONTEXT_NOT_FOUND', `there is no journal in ${layout.root}`, {
    place: { file: layout.journal },
    next: 'Run ben10 init in the project first.',
  });
}

function cannotLock(ports: JournalPorts, layout: Layout): Ben10Error {
  const place = { file: layout.compactLock };
  return ports.lock === undefined
    ? new Ben10Error('CONTEXT_LOCKED', 'this system has no file locks, so nothing is compacted', {
        place,
        next: 'Compact the journal on a system that has them (see: ben10 doctor).',
      })
    : new Ben10Error(
        'CONTEXT_LOCKED',
        'another compaction or an erasure of this journal is running',
        {
          place,
          next: 'Wait until it is done, then run: ben10 compact',
        },
      );
}
