import { dirname } from 'node:path';
import { TAKE_OVER } from '../../platform/denied.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { ensureDir, openToOthers, readdirIfThere } from '../../platform/files.ts';
import type { FileStat, FileSystem } from '../../platform/fs.ts';

/** Where things are in a project's `.ben10`. All paths are absolute if `root` is. */
export type Layout = Readonly<ReturnType<typeof layoutOf>>;

/** @param root `.ben10` itself */
export function layoutOf(root: string) {
  const journal = `${root}/journal`;
  return {
    root,
    journal,
    lock: `${journal}/lock`,
    compactLock: `${journal}/compact.lock`,
    /** Held by the process that reads transcripts, and by the one that waits for it: see `capture/one-reader.ts`. */
    transcriptsLock: `${journal}/transcripts.lock`,
    transcriptsQueueLock: `${journal}/transcripts.queue.lock`,
    /** Held while a checkpoint of the work is taken: see `handoff/take.ts`. */
    takeLock: `${journal}/take.lock`,
    /** Held by the process of a loop, one in each worktree: see `loop/hold.ts`. @param key names the worktree */
    loopLock: (key: string) => `${journal}/loop-${key}.lock`,
    /** Held while an issue tracker is told of checkpoints: see `tracker/deliver.ts`. */
    trackerLock: `${journal}/tracker.lock`,
    manifest: `${journal}/manifest`,
    inbox: `${journal}/inbox`,
    quarantine: `${journal}/quarantine`,
    blobs: `${root}/blobs`,
    checkpoints: `${root}/checkpoints`,
    snapshots: `${root}/compaction-snapshots`,
  };
}

/** A segment's file, named by its first seq: a listing alone finds the segment of any seq. */
export interface SegmentFile {
  origin: string;
  firstSeq: number;
  sealed: boolean;
  path: string;
  /** 32 hex digits: the journal that it has to belong to; undefined when nobody can say. */
  journalId?: string | undefined;
  /** Origins that its header may name, the folder's own among them; undefined if unknown. */
  origins?: readonly string[] | undefined;
}

const SEGMENT_NAME = /^(\d{16})\.(b10|b10z)$/;
/** Larger numbers cannot be held exactly by every language, so such a file is no segment. */
export const isSeq = (seq: number): boolean => seq >= 1 && Number.isSafeInteger(seq);
const ORIGIN_NAME = /^[0-9a-f]{32}$/;

/** Whether damage belongs to another origin: its name stands before the segment's. */
export const isForeign = ({ segment }: { segment: string }): boolean =>
  /^[0-9a-f]{32}\//.test(segment);

export const isOriginName = (name: unknown): boolean =>
  typeof name === 'string' && ORIGIN_NAME.test(name);

export function segmentPath(
  layout: Layout,
  origin: string,
  firstSeq: number,
  sealed: boolean,
): string {
  return `${originDir(layout, origin)}/${String(firstSeq).padStart(16, '0')}.${sealed ? 'b10z' : 'b10'}`;
}

/** A segment's name in messages: the last part of its path. */
export const segmentName = (file: { path: string }): string =>
  file.path.slice(file.path.lastIndexOf('/') + 1);

export const originDir = (layout: Layout, origin: string): string => `${layout.journal}/${origin}`;

export function listOrigins(fs: FileSystem, layout: Layout): string[] {
  return readdirIfThere(fs, layout.journal)
    .filter((name) => ORIGIN_NAME.test(name))
    .sort();
}

/** Segments of all origins, by rising first seq. Each origin counts its own seqs. */
export function listSegments(fs: FileSystem, layout: Layout): SegmentFile[] {
  return listOrigins(fs, layout)
    .flatMap((origin) => listOrigin(fs, layout, origin))
    .sort((a, b) => a.firstSeq - b.firstSeq);
}

/**
 * Segments of one origin, by rising first seq. If a crash left both forms of one, the sealed one counts: it was verified
 * before it got its name. @param home what the headers must say, as far as known
 */
export function listOrigin(
  fs: FileSystem,
  layout: Layout,
  origin: string,
  home: Pick<SegmentFile, 'journalId' | 'origins'> = {},
): SegmentFile[] {
  const { journalId, origins } = home;
  const dir = originDir(layout, origin);
  const names = readdirIfThere(fs, dir).join('/');
  const isListed =
    listed?.dir === dir &&
    listed.names === names &&
    listed.journalId === journalId &&
    listed.origins?.join() === origins?.join();
  if (!isListed)
    listed = { dir, names, journalId, origins, files: segmentsIn(dir, origin, names, home) };
  return [...listed!.files];
}

/** The last listing: a process asks some forty times, and the result follows from the names. */
let listed:
  | (Pick<SegmentFile, 'journalId' | 'origins'> & {
      dir: string;
      names: string;
      files: SegmentFile[];
    })
  | undefined;

function segmentsIn(
  dir: string,
  origin: string,
  names: string,
  { journalId, origins }: Pick<SegmentFile, 'journalId' | 'origins'>,
): SegmentFile[] {
  const found = new Map<number, SegmentFile>();
  for (const name of names.split('/')) {
    const match = SEGMENT_NAME.exec(name);
    if (match === null) continue;
    const firstSeq = Number(match[1]);
    if (!isSeq(firstSeq)) continue;
    const sealed = match[2] === 'b10z';
    if (sealed || !found.has(firstSeq))
      found.set(firstSeq, { origin, firstSeq, sealed, path: `${dir}/${name}`, journalId, origins });
  }
  return [...found.values()].sort((a, b) => a.firstSeq - b.firstSeq);
}

/**
 * Makes a writer's folders. @throws Ben10Error JOURNAL_UNSAFE if `.ben10` or a part of it is a link or a file, or open to
 * others
 */
export function ensureLayout(fs: FileSystem, layout: Layout): void {
  const project = dirname(layout.root);
  // A hook's input may name any project: never make folders above `.ben10`.
  if (fs.statIfThere(layout.root) === undefined && fs.statIfThere(project) === undefined)
    throw unsafe(project, 'is not there, so there is no project in it', FIND);
  for (const dir of foldersOf(layout)) if (refuseUnsafe(fs, dir) === undefined) ensureDir(fs, dir);
}

/** Makes the folders' names durable: their maker may have died before syncing. Whoever wrote the manifest has done it. */
export function syncLayout(fs: FileSystem, layout: Layout): void {
  for (const dir of foldersOf(layout)) fs.syncDir(dirname(dir));
}

/**
 * Asked before reading: nothing is believed behind a link, nor what others could have written.
 * @throws Ben10Error JOURNAL_UNSAFE as `ensureLayout`
 */
export function refuseUnsafeLayout(fs: FileSystem, layout: Layout): void {
  for (const dir of foldersOf(layout)) refuseUnsafe(fs, dir);
}

const foldersOf = ({ root, journal, inbox }: Layout): string[] => [root, journal, inbox];

/**
 * @returns undefined if there is no such folder
 * @throws Ben10Error JOURNAL_UNSAFE if `dir` is no real folder, or others can write to it
 */
export function refuseUnsafe(fs: FileSystem, dir: string): FileStat | undefined {
  const stat = fs.statIfThere(dir);
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink) throw aLink(dir);
  if (!stat.isDirectory) throw unsafe(dir, `is not a folder; ${REAL}`, REMOVE);
  const by = openToOthers(stat);
  if (by === 'owner') throw unsafe(dir, 'belongs to another user of this machine', TAKE_OVER);
  if (by === 'mode') throw unsafe(dir, 'can be written to by every user of this machine', CLOSE);
  return stat;
}

/** @throws Ben10Error JOURNAL_UNSAFE when `dir` is a link */
export function refuseLink(fs: FileSystem, dir: string): void {
  if (fs.statIfThere(dir)?.isSymbolicLink === true) throw aLink(dir);
}

const aLink = (dir: string): Ben10Error =>
  unsafe(dir, `is a symbolic link; ${REAL}`, `${UNLINK}, then run: ben10 init`);

const REAL = 'ben10 keeps its journal only in a real folder';
const FIND = 'Go to a project, then run: ben10 init';
/** The journal may be behind the link, moved to another disk: do not tell that person to start anew. */
export const UNLINK =
  'If you moved what it names, move that back to where the link is; if not, remove the link';
const REMOVE = 'Remove it, then run: ben10 init';
const CLOSE = 'See that nobody put anything into it, then run: chmod -R go-rwx .ben10';

const unsafe = (dir: string, what: string, next: string): Ben10Error =>
  new Ben10Error('JOURNAL_UNSAFE', `${dir} ${what}`, { place: { file: dir }, next });
