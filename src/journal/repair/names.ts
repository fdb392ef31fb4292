import { basename, dirname } from 'node:path';
import { Ben10Error } from '../../platform/errors.ts';
import { writeFileAtomic } from '../../platform/files.ts';
import type { FileSystem } from '../../platform/fs.ts';
import { randomHex } from '../../platform/random.ts';
import { hintPath, readHint } from '../format/hint.ts';
import {
  type Layout,
  listOrigin,
  originDir,
  type SegmentFile,
  segmentName,
  segmentPath,
} from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import { readSegmentHeader } from '../format/segment.ts';
import { loadSegment, misnamedIn } from '../read/load.ts';
import { type Home, homeOf } from '../read/origins.ts';
import { endOf } from '../read/segment-end.ts';
import { almostNamed } from '../read/stray-names.ts';
import { keptNames, keptSegment, lastSeqIn } from './kept.ts';
import type { RepairItem } from './piece.ts';
import { keep, setAside } from './quarantine.ts';

/** A segment of this journal that bears another one's name. */
export interface Misnamed {
  file: SegmentFile;
  bytes: Buffer;
  /** What its sound header says that it is. */
  is: SegmentFile;
  /** Name in quarantine of what is to stand here: `file` is then what stands there instead, and `bytes` are the former's. */
  kept?: string;
  /** Nothing stands here. */
  isGone?: boolean;
  /** What it says that it is stands in its own place, with all that this one holds. */
  isCopy?: boolean;
}

/**
 * The own segments whose headers say that they belong under a name that is free, or that another one of them bears:
 * files that somebody renamed or swapped, and whole ones that a repair left in quarantine. Reads every segment: ask only where
 * a header is damaged or events are missing.
 */
export function misnamedSegments(ports: JournalPorts, layout: Layout): Misnamed[] {
  const home = homeOf(ports, layout);
  if (home === undefined) return [];
  const files = listOrigin(ports.fs, layout, home.origin, home);
  let found = [
    ...files.flatMap((file) => misnamed(ports, layout, file) ?? []),
    ...almostNamed(ports, layout, home)
      .flatMap((file) => misnamed(ports, layout, file) ?? [])
      .filter((one) => hasRoom(ports, one, files)),
  ];
  const isFree = ({ file: from, is }: Misnamed): boolean =>
    found.some(({ file }) => file.path === is.path) ||
    (ports.fs.statIfThere(is.path) === undefined &&
      !files.some((file) => file !== from && file.firstSeq === is.firstSeq));
  const isOnly = ({ is }: Misnamed): boolean =>
    found.filter((other) => other.is.firstSeq === is.firstSeq).length === 1;
  // One that has to stay where it is keeps its name from the others.
  for (let before = -1; before !== found.length; ) {
    before = found.length;
    found = found.filter((one) => isFree(one) && isOnly(one));
  }
  return [
    ...found,
    ...leftInQuarantine(ports, layout, files, found),
    ...goneIntoQuarantine(ports, layout, home, files, found),
    ...copyAtEnd(ports, layout, files),
  ];
}

/**
 * A copy of another segment at the journal's end, under a number that nothing else says the journal has come to: its name
 * tells of no event.
 */
function copyAtEnd(ports: JournalPorts, layout: Layout, files: readonly SegmentFile[]): Misnamed[] {
  const [last, file] = files.slice(-2);
  const found = file && misnamed(ports, layout, file);
  if (found === undefined || !files.some(({ path }) => path === found.is.path)) return [];
  const { syncedUpto } = readHint(ports, hintPath(layout, file!.origin));
  const { flags, seq } = endOf(ports, last!, syncedUpto);
  const isReached = flags !== 0 || seq >= file!.firstSeq - 1;
  const own = loadSegment(ports, found.is);
  const isCopy = own?.bytes.subarray(0, found.bytes.length).equals(found.bytes) === true;
  return isCopy && !isReached ? [{ ...found, isCopy }] : [];
}

/** Of files that hold another segment, which stands in its own place as well: who swapped them back died in between. */
function leftInQuarantine(
  ports: JournalPorts,
  layout: Layout,
  files: readonly SegmentFile[],
  found: readonly Misnamed[],
): Misnamed[] {
  return files.flatMap((file, index) => {
    if (found.some((one) => one.file === file) || misnamed(ports, layout, file) === undefined)
      return [];
    const end = files[index + 1]?.firstSeq ?? Number.POSITIVE_INFINITY;
    const segment = keptSegment(ports, layout, file, end);
    return segment === undefined ? [] : [{ file, is: file, ...segment }];
  });
}

/** Of segments that are not there: who put one in the place of a file that had grown too large died in between. */
function goneIntoQuarantine(
  ports: ReaderPorts,
  layout: Layout,
  { origin, journalId, origins }: Home,
  files: readonly SegmentFile[],
  found: readonly Misnamed[],
): Misnamed[] {
  const there = [...files, ...found.map(({ is }) => is)];
  const gone = keptNames(ports, layout).filter(
    ({ firstSeq }) => !there.some((file) => file.firstSeq === firstSeq),
  );
  return gone.flatMap(({ firstSeq, sealed }) => {
    const path = segmentPath(layout, origin, firstSeq, sealed);
    const file: SegmentFile = { origin, journalId, origins, firstSeq, sealed, path };
    const next = files.find((one) => one.firstSeq > firstSeq)?.firstSeq ?? Number.POSITIVE_INFINITY;
    const segment = keptSegment(ports, layout, file, next);
    if (segment === undefined) return [];
    const one: Misnamed = { file, is: file, ...segment, isGone: true };
    return hasRoom(ports, one, files) ? [one] : [];
  });
}

function misnamed(ports: JournalPorts, layout: Layout, file: SegmentFile): Misnamed | undefined {
  const found = misnamedIn(ports, file);
  const loaded = found && loadSegment(ports, file);
  if (loaded === undefined) return undefined;
  const { bytes } = loaded;
  const { is } = found!;
  // Another file is to be written over with it: half of it is nothing to begin with.
  if (!isWhole(ports, file, bytes)) {
    if (ports.refused !== undefined) return undefined;
    throw notWhole(file);
  }
  const path = segmentPath(layout, file.origin, is.firstSeq, is.sealed);
  return { file, bytes, is: { ...is, path } };
}

/** Whether that is all of the file: its header, and as many bytes as it has. */
const isWhole = ({ fs, xxh64 }: JournalPorts, { path }: SegmentFile, bytes: Buffer): boolean =>
  readSegmentHeader(bytes, path, xxh64) !== undefined &&
  bytes.length >= (fs.statIfThere(path)?.size ?? 0);

const notWhole = (file: SegmentFile): Ben10Error =>
  new Ben10Error('JOURNAL_DAMAGED', `${segmentName(file)} could not be read to its end`, {
    place: { file: file.path },
    next: 'Run ben10 repair again. If that stays, its disk is failing: copy the file while that is possible',
  });

/** Who wrote on meanwhile may have given its seqs away: then it would hide what is there. */
function hasRoom(
  ports: ReaderPorts,
  { bytes, is }: Misnamed,
  files: readonly SegmentFile[],
): boolean {
  const next = files.find(({ firstSeq }) => firstSeq > is.firstSeq)?.firstSeq;
  const { header } = readSegmentHeader(bytes, is.path, ports.xxh64)!;
  if (next !== undefined && lastSeqIn(ports, bytes, header) >= next) return false;
  const before = files.findLast(({ firstSeq }) => firstSeq < is.firstSeq);
  const loaded = before && loadSegment(ports, before);
  if (loaded?.header === undefined) return true;
  return lastSeqIn(ports, loaded.bytes, loaded.header) < is.firstSeq;
}

export const renameItem = ({ file, bytes, is, kept, isGone, isCopy }: Misnamed): RepairItem => ({
  segment: segmentName(file),
  kind: 'segment-header',
  offset: 0,
  bytes: bytes.length,
  firstSeq: null,
  lastSeq: null,
  action: isCopy ? 'set-aside' : 'rename',
  what: isCopy
    ? `a copy of ${segmentName(is)} under a number that the journal has not come to: nothing is lost with it`
    : kept === undefined
      ? `its header says that it is ${segmentName(is)}: it gets that name`
      : isGone
        ? `it is in quarantine as ${kept}, where a repair that was cut off left it, and is put back`
        : `it holds another segment; what belongs here is in quarantine as ${kept}, and is put back`,
});

/** The files as they are once `putInPlace` is done, for who reads only: nothing is moved. */
export function asInPlace(
  ports: JournalPorts,
  { quarantine }: Layout,
  segments: readonly Misnamed[],
): JournalPorts {
  const { fs } = ports;
  /** Where what stands under a path comes from; undefined where nothing does any more. */
  const sources = new Map<string, string | undefined>();
  for (const { file } of segments) sources.set(file.path, undefined);
  for (const { file, is, kept, isCopy } of segments)
    if (!isCopy) sources.set(is.path, kept === undefined ? file.path : `${quarantine}/${kept}`);
  const sourceOf = (path: string) => (sources.has(path) ? sources.get(path) : path);
  const moved: Partial<FileSystem> = {
    open: (path, flags, mode) => fs.open(sourceOf(path) ?? `${path}.moved`, flags, mode),
    statIfThere: (path) => {
      const source = sourceOf(path);
      return source === undefined ? undefined : fs.statIfThere(source);
    },
    readdir: (path) => {
      const names = new Set(fs.readdir(path));
      for (const [name, source] of sources) {
        if (dirname(name) !== path) continue;
        if (source === undefined) names.delete(basename(name));
        else names.add(basename(name));
      }
      return [...names];
    },
  };
  const view = new Proxy(fs, {
    get: (_, call: keyof FileSystem): unknown => moved[call] ?? fs[call].bind(fs),
  });
  return { ...ports, fs: view };
}

/**
 * Gives each its own name. Where two have each other's, one has to be written over before the other is in its place, so
 * all that are written over are kept first: whoever dies in between leaves them in `quarantine/`, where the next repair
 * finds them. Call with the append lock held.
 * @returns names in quarantine
 */
export function putInPlace(
  ports: JournalPorts,
  layout: Layout,
  segments: readonly Misnamed[],
): string[] {
  const isTarget = ({ path }: SegmentFile): boolean => segments.some(({ is }) => is.path === path);
  const kept = segments
    .filter(({ file, isGone }) => isGone !== true && isTarget(file))
    .map(({ file, bytes, kept: from }) => {
      const replaced = from === undefined ? bytes : loadSegment(ports, file)!.bytes;
      if (!isWhole(ports, file, replaced)) throw notWhole(file);
      return keep(ports, layout, `${segmentName(file)}.0`, replaced);
    });
  for (const { bytes, is, isCopy } of segments)
    if (!isCopy)
      writeFileAtomic(ports.fs, is.path, bytes, randomHex(ports.random, 6), { durable: true });
  for (const { file } of segments) {
    if (isTarget(file)) continue;
    kept.push(setAside(ports, layout, originDir(layout, file.origin), segmentName(file)));
  }
  return kept;
}
