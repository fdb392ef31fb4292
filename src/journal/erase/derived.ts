import { readdirIfThere, removeIfThere } from '../../platform/files.ts';
import { syncFolders } from '../append/sync-folders.ts';
import { type Layout, listOrigins, originDir } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts, StoredFiles } from '../format/ports.ts';
import type { JournalReader } from '../read/reader.ts';
import { namesPassingBy } from '../read/refused.ts';
import { segmentSummaryOf } from '../read/segment-summary.ts';

/** Files besides the journal that may hold content of erased events. All can be made again, or were cut off. */
export interface Derived {
  /** Stored states, saves, and the state written for people. */
  states: string[];
  /** Bytes that a repair cut off, of unknown content. */
  quarantine: string[];
  /** Temporary files of crashed writers. */
  leftovers: string[];
}

/** Writing a temporary file takes milliseconds: one this old belongs to nobody. */
export const TEMP_AGE_MS = 10_000;
/** A pinned state's name begins with its last seq; see `firstHeld`. */
const PINNED = /^(\d{16})-[^.]+\.\w+$/;
/** What may follow the name of a file for people, also while it is written. */
const SUFFIX = /^(?:\.meta)?(?:\.[0-9a-f]{12}\.tmp)?$/;

/**
 * Lists these files. With both locks held, every temporary file beside the segments is a crashed writer's; elsewhere its age tells.
 * @param fromSeq pinned states up to an earlier event stay
 */
export function derivedFiles(ports: JournalPorts, layout: Layout, fromSeq: number): Derived {
  const { root, journal, inbox, quarantine, blobs } = layout;
  const pinned = storedBelow(ports, layout, 'pinned').filter((path) => {
    const upto = PINNED.exec(nameOf(path))?.[1];
    return upto === undefined || Number(upto) >= fromSeq;
  });
  const rendered = storedBelow(ports, layout, 'people');
  const states = [...storedStates(ports, layout).states, ...pinned, ...rendered];
  const origins = listOrigins(ports.fs, layout).map((origin) => originDir(layout, origin));
  const shards = readdirIfThere(ports.fs, blobs).map((name) => `${blobs}/${name}`);
  const kept = placesOf(ports, layout, 'kept').flatMap((dir) => foldersBelow(ports, dir));
  const leftovers = [
    ...[journal, ...origins].flatMap((dir) => temps(ports, dir)),
    ...[inbox, root, ...shards, ...kept]
      .flatMap((dir) => temps(ports, dir))
      .filter((path) => isOld(ports, path) && !rendered.includes(path)),
  ];
  return { states, quarantine: filesBelow(ports, quarantine), leftovers };
}

/**
 * The first event whose saves may hold content of the event `seq`. An event that was lost and recorded again stands behind its saves.
 * @throws as `segmentSummaryOf`
 */
export const firstHeld = (ports: JournalPorts, reader: JournalReader, seq: number): number =>
  Math.min(seq, segmentSummaryOf(ports, reader).missing[0]?.firstSeq ?? seq);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Only the rebuildable states. States of another epoch are useless. */
export function storedStates(ports: JournalPorts, layout: Layout): Derived {
  const pinned = placesOf(ports, layout, 'pinned');
  const states = storedBelow(ports, layout, 'rebuildable').filter(
    (path) => !pinned.some((dir) => path.startsWith(`${dir}/`)),
  );
  return { states, quarantine: [], leftovers: [] };
}

/** Files that only an erasure of what is in them may remove. */
export const keptFiles = (ports: Stored, layout: Layout): string[] =>
  placesOf(ports, layout, 'kept')
    .flatMap((dir) => filesBelow(ports, dir))
    .filter((path) => KEPT.test(path));

const KEPT = /\/[0-9a-f]{64}$/;

/** Folders and files of one kind of stored files, or of all kinds. */
export const placesOf = (ports: Stored, { root }: Layout, kind?: StoredFiles['kind']): string[] =>
  ports.stored
    .filter((one) => kind === undefined || one.kind === kind)
    .map(({ place }) => `${root}/${place}`);

type Stored = Pick<JournalPorts, 'fs' | 'stored'>;

function storedBelow(ports: Stored, layout: Layout, kind: StoredFiles['kind']): string[] {
  if (kind !== 'people')
    return placesOf(ports, layout, kind).flatMap((dir) => filesBelow(ports, dir));
  const starts = placesOf(ports, layout, kind);
  return readdirIfThere(ports.fs, layout.root)
    .map((name) => `${layout.root}/${name}`)
    .filter((path) =>
      starts.some((start) => path.startsWith(start) && SUFFIX.test(path.slice(start.length))),
    );
}

/** All folders of stored files, with their subfolders. */
const storedFolders = (ports: Stored, layout: Layout): string[] => [
  ...new Set(placesOf(ports, layout).flatMap((dir) => foldersBelow(ports, dir))),
];

const temps = (ports: JournalPorts, dir: string): string[] =>
  namesPassingBy(ports, dir)
    .filter((name) => name.endsWith('.tmp'))
    .map((name) => `${dir}/${name}`);

function isOld({ fs, clock }: JournalPorts, path: string): boolean {
  const stat = fs.statIfThere(path);
  return stat !== undefined && Math.abs(clock.now() - stat.mtimeMs) > TEMP_AGE_MS;
}

/** ben10 itself nests two deep. */
const DEPTH_MAX = 4;

/** Links are not followed. */
export const filesBelow = (ports: Pick<ReaderPorts, 'fs'>, dir: string): string[] =>
  foldersBelow(ports, dir).flatMap((folder) =>
    readdirIfThere(ports.fs, folder)
      .map((name) => `${folder}/${name}`)
      .filter((path) => ports.fs.statIfThere(path)?.isDirectory !== true),
  );

/**
 * Removes them for good. All folders are synced, because an earlier attempt may have crashed before its sync.
 * @throws Node's error
 */
export function removeDerived(
  ports: JournalPorts,
  layout: Layout,
  { states, quarantine: cut, leftovers }: Derived,
): void {
  for (const path of [...states, ...cut, ...leftovers]) removeIfThere(ports.fs, path);
  const { root, journal, inbox, quarantine, blobs } = layout;
  const origins = listOrigins(ports.fs, layout).map((origin) => originDir(layout, origin));
  const kept = [quarantine, blobs].flatMap((dir) => foldersBelow(ports, dir));
  syncFolders(ports, [root, journal, inbox, ...origins, ...storedFolders(ports, layout), ...kept]);
}

/** With the folder itself. */
function foldersBelow(ports: Pick<ReaderPorts, 'fs'>, dir: string, depth = 0): string[] {
  if (depth > DEPTH_MAX || ports.fs.statIfThere(dir)?.isDirectory !== true) return [];
  const names = readdirIfThere(ports.fs, dir);
  return [dir, ...names.flatMap((name) => foldersBelow(ports, `${dir}/${name}`, depth + 1))];
}
