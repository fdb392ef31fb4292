import { readdirIfThere, removeIfThere } from '../../platform/files.ts';
import { syncFolders } from '../append/sync-folders.ts';
import { type Layout, listOrigins, originDir } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts, StoredFiles } from '../format/ports.ts';
import type { JournalReader } from '../read/reader.ts';
import { namesPassingBy } from '../read/refused.ts';
import { segmentSummaryOf } from '../read/segment-summary.ts';

/** What may hold something of erased events besides the events: all of it can be made again, or was cut off. */
export interface Derived {
  /** Stored states, saved states, and the state that is written out for people. */
  states: string[];
  /** Bytes that a repair cut off: nobody can tell what is in them. */
  quarantine: string[];
  /** Files that a writer died over. */
  leftovers: string[];
}

/** A temporary file beside the journal belongs to nobody any more when it is so old: writing one takes milliseconds. */
export const TEMP_AGE_MS = 10_000;
/** A pinned state of earlier events cannot hold anything of a later one, but for what `firstHeld` knows of. */
const PINNED = /^(\d{16})-[^.]+\.\w+$/;
/** What a file for people may have behind its name, also while it is written. */
const SUFFIX = /^(?:\.meta)?(?:\.[0-9a-f]{12}\.tmp)?$/;

/**
 * What is there of it now. With both locks held every temporary file beside the segments is a dead one; elsewhere its age
 * tells.
 * @param fromSeq of pinned states, the state of which event is the first that goes
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
  const leftovers = [
    ...[journal, ...origins].flatMap((dir) => temps(ports, dir)),
    ...[inbox, root, ...shards]
      .flatMap((dir) => temps(ports, dir))
      .filter((path) => isOld(ports, path) && !rendered.includes(path)),
  ];
  return { states, quarantine: filesBelow(ports, quarantine), leftovers };
}

/**
 * From which state on a save may hold something of an event: what was lost and is told again comes behind what was saved of it.
 * @throws as `segmentSummaryOf`
 */
export const firstHeld = (ports: JournalPorts, reader: JournalReader, seq: number): number =>
  Math.min(seq, segmentSummaryOf(ports, reader).missing[0]?.firstSeq ?? seq);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The states alone that are stored as they come: none of another epoch is of use. */
export function storedStates(ports: JournalPorts, layout: Layout): Derived {
  const pinned = placesOf(ports, layout, 'pinned');
  const states = storedBelow(ports, layout, 'rebuildable').filter(
    (path) => !pinned.some((dir) => path.startsWith(`${dir}/`)),
  );
  return { states, quarantine: [], leftovers: [] };
}

/** The folders, or the files, where what is of one kind lies, or of any. */
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

/** All folders of stored files, with those in them. */
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

/** Folders below these are made by us, two deep. */
const DEPTH_MAX = 4;

/** Links are not followed. */
export function filesBelow(ports: Pick<ReaderPorts, 'fs'>, dir: string, depth = 0): string[] {
  if (depth > DEPTH_MAX || ports.fs.statIfThere(dir)?.isDirectory !== true) return [];
  return readdirIfThere(ports.fs, dir).flatMap((name) => {
    const path = `${dir}/${name}`;
    const isFolder = ports.fs.statIfThere(path)?.isDirectory === true;
    return isFolder ? filesBelow(ports, path, depth + 1) : [path];
  });
}

/**
 * Removes them for good. All folders are synced that may have had one: who removed it may have died before that.
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
