import { dirname } from 'node:path';
import { TAKE_OVER } from '../../platform/denied.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { ensureDir, openToOthers, readdirIfThere } from '../../platform/files.ts';
import type { FileStat, FileSystem } from '../../platform/fs.ts';

/** Where things stand in a project's `.ben10`. All paths are absolute when `root` is. */
export interface Layout {
  /** `.ben10` itself. */
  root: string;
  journal: string;
  lock: string;
  compactLock: string;
  /** Held by who reads transcripts: see `capture/one-reader.ts`. */
  transcriptsLock: string;
  /** Held by who waits for that one. */
  transcriptsQueueLock: string;
  manifest: string;
  inbox: string;
  quarantine: string;
  blobs: string;
  checkpoints: string;
  snapshots: string;
}

export function layoutOf(root: string): Layout {
  const journal = `${root}/journal`;
  return {
    root,
    journal,
    lock: `${journal}/lock`,
    compactLock: `${journal}/compact.lock`,
    transcriptsLock: `${journal}/transcripts.lock`,
    transcriptsQueueLock: `${journal}/transcripts.queue.lock`,
    manifest: `${journal}/manifest`,
    inbox: `${journal}/inbox`,
    quarantine: `${journal}/quarantine`,
    blobs: `${root}/blobs`,
    checkpoints: `${root}/checkpoints`,
    snapshots: `${root}/compaction-snapshots`,
  };
}

/** A segment's file. Its name is its first seq, so that the segment of any seq is found by a listing alone. */
export interface SegmentFile {
  origin: string;
  firstSeq: number;
  sealed: boolean;
  path: string;
  /** 32 hex digits: the journal that it has to belong to; undefined when nobody can say. */
  journalId?: string | undefined;
  /** What its header may say as its origin, the folder's own name among them; undefined when nobody can say. */
  origins?: readonly string[] | undefined;
}

const SEGMENT_NAME = /^(\d{16})\.(b10|b10z)$/;
/** The numbers that every language can hold: a file with another one is no segment, whatever it says. */
export const isSeq = (seq: number): boolean => seq >= 1 && Number.isSafeInteger(seq);
const ORIGIN_NAME = /^[0-9a-f]{32}$/;

/** Whether damage is told of another origin than the own one: its name stands before the segment's. */
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

/** A segment's name in messages: the last part of its path, which `segmentPath` put there. */
export const segmentName = (file: { path: string }): string =>
  file.path.slice(file.path.lastIndexOf('/') + 1);

export const originDir = (layout: Layout, origin: string): string => `${layout.journal}/${origin}`;

export function listOrigins(fs: FileSystem, layout: Layout): string[] {
  return readdirIfThere(fs, layout.journal)
    .filter((name) => ORIGIN_NAME.test(name))
    .sort();
}

/** Segments of all origins, in rising order of first seq. Seqs are counted in each origin by itself. */
export function listSegments(fs: FileSystem, layout: Layout): SegmentFile[] {
  return listOrigins(fs, layout)
    .flatMap((origin) => listOrigin(fs, layout, origin))
    .sort((a, b) => a.firstSeq - b.firstSeq);
}

/**
 * Segments of one origin, in rising order of first seq. Where a crash left both forms of one segment, the sealed
 * one is listed: it was verified before it got its name.
 * @param home what the headers have to say, as far as it is known
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

/** What was listed last: a process asks some forty times for the same, and what there is follows from the names alone. */
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
 * Makes the folders that a writer needs.
 * @throws Ben10Error JOURNAL_UNSAFE when `.ben10` or a part of it is a link or a file, or open to others
 */
export function ensureLayout(fs: FileSystem, layout: Layout): void {
  const project = dirname(layout.root);
  // What is called a project may be a name out of a hook's input: folders above `.ben10` are nobody's to make.
  if (fs.statIfThere(layout.root) === undefined && fs.statIfThere(project) === undefined)
    throw unsafe(project, 'is not there, so there is no project in it', FIND);
  for (const dir of foldersOf(layout)) if (refuseUnsafe(fs, dir) === undefined) ensureDir(fs, dir);
}

/**
 * Makes the folders' names durable: whoever made one may have died, or be waiting, before it synced. Where there is a
 * manifest, its writer has seen to it.
 */
export function syncLayout(fs: FileSystem, layout: Layout): void {
  for (const dir of foldersOf(layout)) fs.syncDir(dirname(dir));
}

/**
 * What readers ask first: nothing is believed that lies behind a link, as nothing is written through one, nor what others
 * could have put there.
 * @throws Ben10Error JOURNAL_UNSAFE when `.ben10` or a part of it is a link or a file, or open to others
 */
export function refuseUnsafeLayout(fs: FileSystem, layout: Layout): void {
  for (const dir of foldersOf(layout)) refuseUnsafe(fs, dir);
}

const foldersOf = ({ root, journal, inbox }: Layout): string[] => [root, journal, inbox];

/**
 * @returns undefined when there is no such folder
 * @throws Ben10Error JOURNAL_UNSAFE when `dir` is there and is no real folder, or one that others can write to
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
/** All that was recorded may be behind a link: who moved it to another disk must not be told to begin anew. */
export const UNLINK =
  'If you moved what it names, move that back to where the link is; if not, remove the link';
const REMOVE = 'Remove it, then run: ben10 init';
const CLOSE = 'See that nobody put anything into it, then run: chmod -R go-rwx .ben10';

const unsafe = (dir: string, what: string, next: string): Ben10Error =>
  new Ben10Error('JOURNAL_UNSAFE', `${dir} ${what}`, { place: { file: dir }, next });
