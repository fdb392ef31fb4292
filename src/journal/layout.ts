import { Ben10Error, errno } from '../platform/errors.ts';
import { ensureDir, type FileSystem, readdirIfThere } from '../platform/fs.ts';

/** Where things stand in a project's `.ben10`. All paths are absolute when `root` is. */
export interface Layout {
  /** `.ben10` itself. */
  root: string;
  journal: string;
  lock: string;
  compactLock: string;
  manifest: string;
  inbox: string;
  quarantine: string;
  blobs: string;
  checkpoints: string;
}

export function layoutOf(root: string): Layout {
  const journal = `${root}/journal`;
  return {
    root,
    journal,
    lock: `${journal}/lock`,
    compactLock: `${journal}/compact.lock`,
    manifest: `${journal}/manifest`,
    inbox: `${journal}/inbox`,
    quarantine: `${journal}/quarantine`,
    blobs: `${root}/blobs`,
    checkpoints: `${root}/checkpoints`,
  };
}

/** A segment's file. Its name is its first seq, so that the segment of any seq is found by a listing alone. */
export interface SegmentFile {
  origin: string;
  firstSeq: number;
  sealed: boolean;
  path: string;
}

const SEGMENT_NAME = /^(\d{16})\.(b10|b10z)$/;
const ORIGIN_NAME = /^[0-9a-f]{32}$/;

export function segmentPath(
  layout: Layout,
  origin: string,
  firstSeq: number,
  sealed: boolean,
): string {
  return `${layout.journal}/${origin}/${String(firstSeq).padStart(16, '0')}.${sealed ? 'b10z' : 'b10'}`;
}

/**
 * Segments in rising order of first seq, over all origins. Where a crash left both forms of one segment, the
 * sealed one is listed: it was verified before it got its name.
 */
export function listSegments(fs: FileSystem, layout: Layout): SegmentFile[] {
  const found = new Map<string, SegmentFile>();
  for (const origin of readdirIfThere(fs, layout.journal)) {
    if (!ORIGIN_NAME.test(origin)) continue;
    for (const file of listOrigin(fs, layout, origin)) {
      const key = `${file.firstSeq} ${origin}`;
      if (file.sealed || !found.has(key)) found.set(key, file);
    }
  }
  return [...found.values()].sort(
    (a, b) => a.firstSeq - b.firstSeq || (a.origin < b.origin ? -1 : 1),
  );
}

export function listOrigin(fs: FileSystem, layout: Layout, origin: string): SegmentFile[] {
  const files: SegmentFile[] = [];
  for (const name of readdirIfThere(fs, `${layout.journal}/${origin}`)) {
    const match = SEGMENT_NAME.exec(name);
    if (match === null) continue;
    const path = `${layout.journal}/${origin}/${name}`;
    files.push({ origin, firstSeq: Number(match[1]), sealed: match[2] === 'b10z', path });
  }
  return files;
}

/**
 * Makes the folders that a writer needs.
 * @throws Ben10Error JOURNAL_UNSAFE when `.ben10` or a part of it is a link or a file
 */
export function ensureLayout(fs: FileSystem, layout: Layout): void {
  for (const dir of [layout.root, layout.journal, layout.inbox]) {
    refuseUnsafe(fs, dir);
    ensureDir(fs, dir);
  }
}

export function refuseUnsafe(fs: FileSystem, dir: string): void {
  let stat: ReturnType<FileSystem['stat']>;
  try {
    stat = fs.stat(dir);
  } catch (error) {
    if (errno(error) === 'ENOENT') return;
    throw error;
  }
  if (stat.isDirectory) return;
  const what = stat.isSymbolicLink ? 'a symbolic link' : 'not a folder';
  throw new Ben10Error(
    'JOURNAL_UNSAFE',
    `${dir} is ${what}; ben10 keeps its journal only in a real folder`,
    {
      place: { file: dir },
      next: `Remove it, then run: ben10 init`,
    },
  );
}
