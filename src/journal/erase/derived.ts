import { readdirIfThere, removeIfThere } from '../../platform/files.ts';
import { syncFolders } from '../append/sync-folders.ts';
import { type Layout, listOrigins, originDir } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
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
/** A save of an earlier state cannot hold anything of a later event, but for what `firstHeld` knows of. */
const SAVE = /^(\d{16})-[0-9a-f]{12}\.ctx$/;

/**
 * What is there of it now. With both locks held every temporary file beside the segments is a dead one; elsewhere its age
 * tells.
 * @param fromSeq of saves, the state of which event is the first that goes
 */
export function derivedFiles(ports: JournalPorts, layout: Layout, fromSeq: number): Derived {
  const { root, journal, inbox, quarantine, checkpoints, snapshots, blobs } = layout;
  const stored = [checkpoints, snapshots].flatMap((dir) => filesBelow(ports, dir));
  const states = stored.filter((path) => {
    const save = SAVE.exec(nameOf(path));
    return save === null || Number(save[1]) >= fromSeq;
  });
  const rendered = readdirIfThere(ports.fs, root)
    .filter((name) => RENDERED.test(name))
    .map((name) => `${root}/${name}`);
  const origins = listOrigins(ports.fs, layout).map((origin) => originDir(layout, origin));
  const shards = readdirIfThere(ports.fs, blobs).map((name) => `${blobs}/${name}`);
  const leftovers = [
    ...[journal, ...origins].flatMap((dir) => temps(ports, dir)),
    ...[inbox, root, ...shards]
      .flatMap((dir) => temps(ports, dir))
      .filter((path) => isOld(ports, path) && !rendered.includes(path)),
  ];
  return { states: [...states, ...rendered], quarantine: filesBelow(ports, quarantine), leftovers };
}

/**
 * From which state on a save may hold something of an event: what was lost and is told again comes behind what was saved of it.
 * @throws as `segmentSummaryOf`
 */
export const firstHeld = (ports: JournalPorts, reader: JournalReader, seq: number): number =>
  Math.min(seq, segmentSummaryOf(ports, reader).missing[0]?.firstSeq ?? seq);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The states alone that are stored as they come: none of another epoch is of use. */
export const storedStates = (ports: JournalPorts, { checkpoints }: Layout): Derived => ({
  states: filesBelow(ports, checkpoints).filter((path) => !SAVE.test(nameOf(path))),
  quarantine: [],
  leftovers: [],
});

const RENDERED = /^current\.ctx(?:\.meta)?(?:\.[0-9a-f]{12}\.tmp)?$/;

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
  const { root, journal, inbox, checkpoints, snapshots, quarantine, blobs } = layout;
  const origins = listOrigins(ports.fs, layout).map((origin) => originDir(layout, origin));
  const kept = [checkpoints, snapshots, quarantine, blobs];
  const stored = kept.flatMap((dir) => foldersBelow(ports, dir));
  syncFolders(ports, [root, journal, inbox, ...origins, ...stored]);
}

/** With the folder itself. */
function foldersBelow(ports: JournalPorts, dir: string, depth = 0): string[] {
  if (depth > DEPTH_MAX || ports.fs.statIfThere(dir)?.isDirectory !== true) return [];
  const names = readdirIfThere(ports.fs, dir);
  return [dir, ...names.flatMap((name) => foldersBelow(ports, `${dir}/${name}`, depth + 1))];
}
